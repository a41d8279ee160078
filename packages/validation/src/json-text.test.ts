import { expect, it } from 'vitest'
import { formatPlace, offsetOf, parseJsonValues } from './json-text.ts'

const values = (text: string) => parseJsonValues(text).map(({ value }) => value)

it.each<[string, string, unknown[]]>([
  ['one value on one line', '[{"a":1},2]', [[{ a: 1 }, 2]]],
  ['one value on several lines', '{\r\n  "a": [\r\n    "}\\"", 1e3\r\n  ]\r\n}\r\n', [{ a: ['}"', 1000] }]],
  ['a value on each line', '{"a":1}\r\n\n  \n{"b":2}', [{ a: 1 }, { b: 2 }]],
  ['values one after the other', '{"a":1}{"b":[]} []\n"c"', [{ a: 1 }, { b: [] }, [], 'c']],
  ['values of several lines each', '{\n"a":1\n}\n{\n"b":-0.5\n}', [{ a: 1 }, { b: -0.5 }]],
  ['files with byte order marks, one after the other', '\uFEFF{"a":1}\n\uFEFF{"b":2}', [{ a: 1 }, { b: 2 }]],
  ['no value', ' \n ', []],
])('parseJsonValues parses %s', (_what, text, expected) => {
  expect(values(text)).toEqual(expected)
})

it.each<[string, string]>([
  ['{"a":1}\n{"a":}\n', 'line 2, column 6: must be JSON: expected a value, got "}"'],
  ['{\n  "a": 1,\n}', 'line 3, column 1: must be JSON: expected a name in double quotes, got "}"'],
  ["{'a': 1}", 'line 1, column 2: must be JSON: expected a name in double quotes, got "\'"'],
  ['[1 2]', 'line 1, column 4: must be JSON: expected a comma or ], got "2"'],
  ['{"a" 1}', 'line 1, column 6: must be JSON: expected a colon, got "1"'],
  [String.raw`["\x"]`, String.raw`line 1, column 3: must be JSON: expected an escape such as \n, got "\\"`],
  ['["a\n"]', String.raw`line 1, column 4: must be JSON: expected the end of the string, got "\n"`],
  ['pageUnit=group', 'line 1, column 1: must be JSON: expected a value, got "p"'],
  ['[01]', 'line 1, column 3: must be JSON: expected a comma or ], got "1"'],
  ...['[1,\n', '[{"a"', '["ab', '["\\u00', '[tru', '[-', '{"a":{"b":1}'].map((text): [string, string] => [
    text,
    'the text ends within a JSON value, so it is incomplete',
  ]),
  ['['.repeat(600), 'more than 500 levels of JSON'],
])('parseJsonValues names line and column of what is wrong in %j', (text, message) => {
  expect(() => parseJsonValues(text)).toThrow(message)
})

it('formatPlace counts lines with any line ends', () => {
  expect(formatPlace('a\r\nb\rc\nd', 7)).toBe('line 4, column 1')
})

it('offsetOf finds a part of a value, or as much of the path as there is', () => {
  const text = '[0, {"a": {"b\\n": [1, 2]}, "a": {"b\\n": [3, {}]}}]'

  expect(text.slice(offsetOf(text, 0, [1, 'a', 'b\n', 1]))).toMatch(/^{}\]}}\]$/)
  expect(text.slice(offsetOf(text, 0, [1, 'a', 'c', 1]))).toMatch(/^{"b\\n": \[3/)
})
