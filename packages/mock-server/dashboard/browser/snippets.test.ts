import { expect, it } from 'vitest'
import { isKey, snippets } from './snippets.ts'

const target = { url: 'http://127.0.0.1:4010', key: 'mock_1' }
const escaped = { url: 'http://127.0.0.1:4010', key: String.raw`it's\$(x)"` }

it('the curl snippet is one line', () => {
  expect(snippets.curl(target)).toBe(
    "curl -H 'x-api-key: mock_1' 'http://127.0.0.1:4010/guild/ledger/transactions?limit=3'",
  )
})

it('the Python snippet imports from the standard library only', () => {
  expect(snippets.Python(target)).toContain("headers={'x-api-key': 'mock_1'}")
  expect(snippets.Python(target).match(/^(import|from) \S+/gm)).toEqual(['import json', 'from urllib.request'])
})

it('the TypeScript snippet contains the key and the base URL', () => {
  expect(snippets.TypeScript(target)).toContain("apiKey: 'mock_1',\n  baseUrl: 'http://127.0.0.1:4010',\n})")
})

it.each([
  ['http://192.168.0.7:4010', true],
  ['http://[::1]:4010', false],
  ['http://localhost:4010', false],
  ['https://mock.example', false],
])('whether the TypeScript snippet for %s allows insecure http: %s', (url, allows) => {
  expect(snippets.TypeScript({ ...target, url }).includes('allowInsecureHttp: true')).toBe(allows)
})

it('every snippet escapes quotes and backslashes in a key', () => {
  expect(snippets.curl(escaped)).toContain(String.raw`'x-api-key: it'\''s\$(x)"'`)
  expect(snippets.Python(escaped)).toContain(String.raw`{'x-api-key': 'it\'s\\$(x)"'}`)
  expect(snippets.TypeScript(escaped)).toContain(String.raw`apiKey: 'it\'s\\$(x)"',`)
})

it.each([
  ['mock_1', true],
  ['~!"', true],
  ['', false],
  ['a b', false],
  ['a\nb', false],
  ['é', false],
])('whether the dashboard accepts %j as a key: %s', (text, accepted) => {
  expect(isKey(text)).toBe(accepted)
})
