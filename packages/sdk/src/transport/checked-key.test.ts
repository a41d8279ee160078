import { expect, it } from 'vitest'
import { checkedKey, checkedResult } from './checked-key.ts'

const uncarried = 'characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again'
const lineBreak = 'a line break: if it was read from a file, trim it'

it.each(['k', 'key+of/a=guild~!', '\u00a1\u00ff'])('accepts the key %j', (key) => {
  expect(checkedKey(key)).toBe(key)
  expect(checkedResult(key)).toBe(key)
})

it.each([
  ['a key', uncarried],
  ['key\u007f', uncarried],
  ['\u00a0key', uncarried],
  ['key\u0100', uncarried],
  ['key\n', lineBreak],
  ['\rkey', lineBreak],
])('rejects the key %j, given or returned by a function, without showing it', (key, problem) => {
  expect(() => checkedKey(key)).toThrow(
    expect.objectContaining({ option: 'apiKey', message: `\`apiKey\` holds ${problem}` }),
  )
  expect(() => checkedResult(key)).toThrow(
    expect.objectContaining({ option: 'apiKey', message: `\`apiKey\` returned a key with ${problem}` }),
  )
})

it.each([
  [undefined, 'must return a string or a promise of one, got another type: undefined'],
  [7, 'must return a string or a promise of one, got another type: number'],
  [{ key: 'secret' }, 'must return a string or a promise of one, got another type: object'],
  ['', 'must return the key, got an empty string'],
])('rejects %o as the result of a function', (result, problem) => {
  expect(() => checkedResult(result)).toThrow(
    expect.objectContaining({ option: 'apiKey', message: `\`apiKey\` ${problem}` }),
  )
})
