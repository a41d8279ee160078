import { parseArgs } from 'node:util'
import { suggestion } from '../assumptions/index.ts'
import type { RateLimit } from '../rate-limit/index.ts'
import { UsageError } from './usage-error.ts'

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  seed: { type: 'string' },
  users: { type: 'string' },
  transactions: { type: 'string' },
  data: { type: 'string' },
  'api-key': { type: 'string' },
  'rate-limit': { type: 'string' },
  assumptions: { type: 'string' },
  assume: { type: 'string', multiple: true },
  explain: { type: 'boolean' },
  'admin-token': { type: 'string' },
  cors: { type: 'boolean' },
  log: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** What the user asked for, in types, without a look at files. */
export interface CommandLine {
  readonly port: number
  readonly host: string
  readonly seed: number | undefined
  readonly users: number | undefined
  readonly transactions: number | undefined
  readonly data: string | undefined
  readonly apiKey: string | undefined
  readonly rateLimit: RateLimit | undefined
  readonly assumptions: string | undefined
  readonly assume: readonly string[]
  readonly explain: boolean
  readonly adminToken: string | undefined
  readonly cors: boolean
  readonly log: boolean
  readonly json: boolean
  readonly help: boolean
  readonly version: boolean
}

const names = Object.keys(flags).map((name) => `--${name}`)

/** The same checks as parseArgs has in its strict mode, in words that fit on one line. */
const check = (tokens: ReturnType<typeof parse>['tokens']): void => {
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw new UsageError(`"${token.value}" is not an option: every option starts with --, see --help.`)
    }
    if (token.kind !== 'option') continue
    const { rawName, name, value } = token
    if (!Object.hasOwn(flags, name)) {
      throw new UsageError(`Unknown option ${rawName}: ${suggestion(rawName, names)} See --help.`)
    }
    const takesValue = flags[name as keyof typeof flags].type === 'string'
    if (takesValue && (value === undefined || value === ''))
      throw new UsageError(`${rawName} needs a value, see --help.`)
    if (!takesValue && value !== undefined) throw new UsageError(`${rawName} takes no value, but was given "${value}".`)
  }
}

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: flags, strict: false, allowPositionals: true, tokens: true })

const wholeNumber = (
  flag: string,
  text: string | undefined,
  max = Number.MAX_SAFE_INTEGER,
  otherwise = '',
): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
  const allowed = max === Number.MAX_SAFE_INTEGER ? 'of at least 0' : `from 0 to ${max}`
  throw new UsageError(`${flag} must be a whole number ${allowed}${otherwise}, not "${text}".`)
}

const rateLimit = (text: string | undefined): number | undefined => {
  if (text === '0') throw new UsageError('--rate-limit must be at least 1; for no limit at all, say off.')
  return wholeNumber('--rate-limit', text, 1_000_000, ', or off')
}

/**
 * Reads the command line.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has a wrong one.
 */
export const readOptions = (args: readonly string[]): CommandLine => {
  const { tokens, values: loose } = parse(args)
  check(tokens)
  const values = loose as { [Name in Exclude<keyof typeof flags, 'assume'>]?: string } & { assume?: string[] }
  if (values.data !== undefined && (values.users ?? values.transactions ?? values.seed) !== undefined) {
    throw new UsageError('--data brings its own rows: leave out --seed, --users and --transactions.')
  }
  return {
    port: wholeNumber('--port', values.port, 65_535) ?? 4010,
    host: values.host ?? '127.0.0.1',
    seed: wholeNumber('--seed', values.seed),
    users: wholeNumber('--users', values.users),
    transactions: wholeNumber('--transactions', values.transactions),
    data: values.data,
    apiKey: values['api-key'],
    rateLimit: values['rate-limit'] === 'off' ? 'off' : rateLimit(values['rate-limit']),
    assumptions: values.assumptions,
    assume: values.assume ?? [],
    explain: Boolean(values.explain),
    adminToken: values['admin-token'],
    cors: Boolean(values.cors),
    log: Boolean(values.log),
    json: Boolean(values.json),
    help: Boolean(values.help),
    version: Boolean(values.version),
  }
}
