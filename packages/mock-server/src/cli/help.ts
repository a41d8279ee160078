import { assumptionDefinitions, type AssumptionDefinition } from '../assumptions/index.ts'
import { flagNames, flagOf, flags, variableOf, type Flag } from './flags.ts'

const lineLength = 100
const indent = 23

/** Breaks text between words, each line indented like the first one. */
const wrap = (text: string): string => {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

const helpLine = (option: string, about: string): string => `  ${option.padEnd(indent - 3)} ${wrap(about)}`

const optionLines = flagNames.map((name) => {
  const { value, about, fallback }: Flag = flags[name]
  const option = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`
  return helpLine(option, fallback === undefined ? about : `${about} (${fallback})`)
})

const formatValues = (definition: AssumptionDefinition): string => {
  if ('values' in definition) return definition.values.map(([value]) => value).join(' | ')
  const { default: first, min, max, orNull } = definition
  return `${first}, or an integer${orNull ? '' : ` from ${min} to ${max}`}`
}

const assumptionLines = Object.entries<AssumptionDefinition>(assumptionDefinitions).map(
  ([key, definition]) => `  ${key.padEnd(26)}${formatValues(definition)}`,
)

/** What `--help` prints. */
export const help = `Usage: guild-ledger-mock [options]
       guild-ledger-mock probe [options]
       guild-ledger-mock sweep [options]

Serves a mock of the Guild Ledger Transactions Service over HTTP until it is interrupted.

Commands, each with --help:
${helpLine('probe', 'find out how a live service behaves where the spec does not say')}
${helpLine('sweep', 'find the tests that depend on unspecified behaviour')}

Options, with their defaults:
${optionLines.join('\n')}
${helpLine('-h, --help', 'print this help')}
${helpLine('-v, --version', 'print the version')}

Each can be given as a variable of the environment instead, ${flagOf('rateLimit')} as ${variableOf('rateLimit')}
and so on. A variable for an option without a value is 1 or true for on, 0 or false for off; an empty
one counts as not given. The command line overrides variables: --no-log, --no-cors and so on switch
off what a variable switched on.

Assumptions for what the spec leaves unspecified; the first value is the default:
${assumptionLines.join('\n')}
`
