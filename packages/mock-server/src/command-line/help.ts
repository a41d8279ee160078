import { assumptionRows, type AssumptionRow } from '../assumptions/index.ts'
import { flagNames, flagOf, flags, variableOf, type Flag } from './flags.ts'

const lineLength = 100
const indent = 23

/** Breaks text between words, each line as far to the right as the first one starts. */
const wrapped = (text: string): string => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

const row = (option: string, about: string): string => `  ${option.padEnd(indent - 3)} ${wrapped(about)}`

const optionLines = flagNames.map((name) => {
  const { value, about, fallback }: Flag = flags[name]
  const option = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`
  return row(option, fallback === undefined ? about : `${about} (${fallback})`)
})

const valuesOf = (assumption: AssumptionRow): string => {
  if ('readings' in assumption) return assumption.readings.map(([value]) => value).join(' | ')
  const { default: first, min, max, orNull } = assumption
  return `${first}, or a whole number${orNull ? '' : ` from ${min} to ${max}`}`
}

const assumptionLines = Object.entries<AssumptionRow>(assumptionRows).map(
  ([key, assumption]) => `  ${key.padEnd(26)}${valuesOf(assumption)}`,
)

/** What `--help` prints. */
export const help = `Usage: guild-ledger-mock [options]

Serves a mock of the Guild Ledger Transactions Service over HTTP until it is interrupted.

Options, with what they are unless given:
${optionLines.join('\n')}
${row('-h, --help', 'this text')}
${row('-v, --version', 'the version')}

Each can be given as a variable of the environment instead, ${flagOf('rateLimit')} as ${variableOf('rateLimit')}
and so on. A variable for an option without a value is 1 or true for on, 0 or false for off; an empty
one counts as not given. The command line goes before variables: --no-log, --no-cors and so on switch
off what a variable switched on.

Assumptions, where the document of the service is silent; the first value is the default:
${assumptionLines.join('\n')}
`
