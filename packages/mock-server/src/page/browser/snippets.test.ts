import { describe, expect, it } from 'vitest'
import { canBeKey, snippets } from './snippets.ts'

const target = { url: 'http://127.0.0.1:4010', key: 'mock_1' }
const awkward = { url: 'http://127.0.0.1:4010', key: String.raw`it's\$(x)"` }

it('curl takes one line', () => {
  expect(snippets.curl(target)).toBe(
    "curl -H 'x-api-key: mock_1' 'http://127.0.0.1:4010/guild/ledger/transactions?limit=3'",
  )
})

it('Python needs nothing but its own library', () => {
  expect(snippets.Python(target)).toContain("headers={'x-api-key': 'mock_1'}")
  expect(snippets.Python(target).match(/^(import|from) \S+/gm)).toEqual(['import json', 'from urllib.request'])
})

describe('TypeScript', () => {
  it('has the key and the base URL', () => {
    expect(snippets.TypeScript(target)).toContain("apiKey: 'mock_1',\n  baseUrl: 'http://127.0.0.1:4010',\n})")
  })

  it.each([
    ['http://192.168.0.7:4010', true],
    ['http://[::1]:4010', false],
    ['http://localhost:4010', false],
    ['https://mock.example', false],
  ])('for %s says that http is meant: %s', (url, says) => {
    expect(snippets.TypeScript({ ...target, url }).includes('allowInsecureHttp: true')).toBe(says)
  })
})

it('a key with quotes and backslashes does not get out of its quotes', () => {
  expect(snippets.curl(awkward)).toContain(String.raw`'x-api-key: it'\''s\$(x)"'`)
  expect(snippets.Python(awkward)).toContain(String.raw`{'x-api-key': 'it\'s\\$(x)"'}`)
  expect(snippets.TypeScript(awkward)).toContain(String.raw`apiKey: 'it\'s\\$(x)"',`)
})

it.each([
  ['mock_1', true],
  ['~!"', true],
  ['', false],
  ['a b', false],
  ['a\nb', false],
  ['é', false],
])('whether %j can be a key: %s', (text, can) => {
  expect(canBeKey(text)).toBe(can)
})
