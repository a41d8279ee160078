import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { flagNames, flagOf, flags, variableOf, type Flag } from '../src/cli/flags.ts'

const page = readFileSync(new URL('../../../docs/http-server.md', import.meta.url), 'utf8')

it('the documentation lists every option as the command line has it', () => {
  const [table = ''] = /^\| option [^]*?\n\n/m.exec(page) ?? []
  const listed = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.replaceAll('\\|', '\0').split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('\0', '|').replaceAll(/^`|`$/g, '')))

  expect(listed).toEqual(
    flagNames.map((name) => {
      const { value, about, fallback = '' }: Flag = flags[name]
      return [value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`, variableOf(name), fallback, about]
    }),
  )
})
