import { expect, it } from 'vitest'
import { parseCLI } from 'vitest/node'
import { replayLine } from './replay-line.ts'

it.each([
  ['counts the purchases', "-t 'counts the purchases'"],
  ['sums 1 + 1 (twice)', String.raw`-t 'sums 1 \+ 1 \(twice\)'`],
  ['-1 starts with a dash', "'--testNamePattern=-1 starts with a dash'"],
  ['two\nlines and a\ttab', "-t 'two[^]lines and a[^]tab'"],
  ['half of a \uD800 character', "-t 'half of a [^] character'"],
])('replayLine repeats the test %j with %s', (name, option) => {
  expect(replayLine('a.test.ts', name, { pageUnit: 'group' })).toBe(
    `GUILD_LEDGER_MOCK_ASSUME=pageUnit=group npx vitest run a.test.ts ${option}`,
  )
})

it.each(['-1 starts with a dash', 'two\nlines and a\ttab', 'half of a \uD800 character', "it's $weird (a|b)"])(
  'replayLine prints a line for the test %j that Vitest understands',
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
