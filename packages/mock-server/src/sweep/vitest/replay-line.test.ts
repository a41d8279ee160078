import { expect, it } from 'vitest'
import { parseCLI } from 'vitest/node'
import { replayInBrowser, replayLine } from './replay-line.ts'

it.each([
  ['counts the purchases', "-t 'counts the purchases'"],
  ['sums 1 + 1 (twice)', String.raw`-t 'sums 1 \+ 1 \(twice\)'`],
  ['-1 starts with a dash', "'--testNamePattern=-1 starts with a dash'"],
  ['two\nlines and a\ttab', "-t 'two[^]lines and a[^]tab'"],
  ['half of a \uD800 character', "-t 'half of a [^] character'"],
])('repeats the test %j with %s', (name, option) => {
  expect(replayLine('a.test.ts', name, { pageUnit: 'group' }, ['--root', 'sub'])).toBe(
    `GUILD_LEDGER_MOCK_ASSUME=pageUnit=group npx vitest run a.test.ts ${option} --root sub`,
  )
})

it('says how to repeat a test in a browser', () => {
  expect(replayInBrowser({ pageUnit: 'group' })).toBe(
    'Add assumptions: {"pageUnit":"group"} to the options of createMockLedger in this test: a page has no environment variables.',
  )
})

it.each(['-1 starts with a dash', 'two\nlines and a\ttab', 'half of a \uD800 character', "it's $weird (a|b)"])(
  'prints a line for the test %j that Vitest understands',
  (name) => {
    const words =
      replayLine('a.test.ts', name, {})
        .replace('npx ', '')
        .match(/'(?:[^']|'\\'')*'|\S+/g) ?? []
    const args = words.map((word) =>
      word.startsWith("'") ? word.slice(1, -1).replaceAll(String.raw`'\''`, "'") : word,
    )

    const { testNamePattern } = parseCLI(args).options as { testNamePattern?: string }

    expect(name).toMatch(new RegExp(testNamePattern ?? 'nothing'))
  },
)
