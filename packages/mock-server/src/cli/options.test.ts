import { describe, expect, it } from 'vitest'
import { flagNames } from './flags.ts'
import { parseOptions, type CommandLine } from './options.ts'

/** Parses, for anything but the help and the version. */
const parse = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  warn: (line: string) => void = () => {},
): CommandLine => {
  const options = parseOptions(args, env, { print: () => {}, warn })
  if (!options) throw new Error('it asked for the help or the version')
  return options
}

type Case = readonly [flag: string, variable: string, text: string, value: unknown, otherwise: unknown]

/** Each option as it is written in both places, a value of it, and its default. */
const cases: Readonly<Record<string, Case>> = {
  port: ['--port', 'GUILD_LEDGER_MOCK_PORT', '8080', 8080, 4010],
  host: ['--host', 'GUILD_LEDGER_MOCK_HOST', '0.0.0.0', '0.0.0.0', '127.0.0.1'],
  seed: ['--seed', 'GUILD_LEDGER_MOCK_SEED', '7', 7, 1],
  users: ['--users', 'GUILD_LEDGER_MOCK_USERS', '3', 3, 50],
  transactions: ['--transactions', 'GUILD_LEDGER_MOCK_TRANSACTIONS', '9', 9, 1000],
  data: ['--data', 'GUILD_LEDGER_MOCK_DATA', 'rows.ndjson', 'rows.ndjson', undefined],
  setup: ['--setup', 'GUILD_LEDGER_MOCK_SETUP', 'set-up.json', 'set-up.json', undefined],
  rateLimit: ['--rate-limit', 'GUILD_LEDGER_MOCK_RATE_LIMIT', 'off', 'off', 10],
  apiKey: ['--api-key', 'GUILD_LEDGER_MOCK_API_KEY', 'secret', 'secret', 'guild-ledger-mock-key'],
  assumptions: ['--assumptions', 'GUILD_LEDGER_MOCK_ASSUMPTIONS', 'a.json', 'a.json', undefined],
  assume: ['--assume', 'GUILD_LEDGER_MOCK_ASSUME', 'pageUnit=group,maxPage=3', { pageUnit: 'group', maxPage: 3 }, {}],
  explain: ['--explain', 'GUILD_LEDGER_MOCK_EXPLAIN', '1', true, undefined],
  adminToken: ['--admin-token', 'GUILD_LEDGER_MOCK_ADMIN_TOKEN', 'secret', 'secret', undefined],
  cors: ['--cors', 'GUILD_LEDGER_MOCK_CORS', 'true', true, undefined],
  log: ['--log', 'GUILD_LEDGER_MOCK_LOG', 'TRUE', true, undefined],
  exitWithParent: ['--exit-with-parent', 'GUILD_LEDGER_MOCK_EXIT_WITH_PARENT', '1', true, undefined],
  json: ['--json', 'GUILD_LEDGER_MOCK_JSON', '1', true, undefined],
}
const named = flagNames.map((name) => [name, ...(cases[name] ?? ['', '', '', '', ''])] as const)
const switches = new Set(['explain', 'cors', 'log', 'exitWithParent', 'json'])

describe('an option', () => {
  it.each(named)('%s can be given as %s or as %s', (name, flag, variable, text, value, otherwise) => {
    const args = switches.has(name) ? [flag] : [flag, text]

    expect(parse(args)[name]).toEqual(value)
    // Every mock starts from the variable of `assume` by itself.
    expect(parse([], { [variable]: text })[name]).toEqual(name === 'assume' ? otherwise : value)
    expect(parse([], { [variable]: '' })[name]).toEqual(otherwise)
    expect(parse([])[name]).toEqual(otherwise)
  })

  // Messages about the variable of `assume` are the mock's.
  it.each(named.filter(([name]) => name !== 'assume'))(
    '%s is named in messages as the user gave it',
    (name, flag, variable, text) => {
      const args = switches.has(name) ? [flag] : [flag, text]

      expect(parse([], { [variable]: text }).nameOf(name)).toBe(variable)
      expect(parse(args, { [variable]: text }).nameOf(name)).toBe(flag)
    },
  )

  it.each(['tcp://10.0.0.1:4010', 'udp://10.0.0.1:53'])('ignores %s, as Kubernetes sets it, with a line', (address) => {
    const lines: string[] = []

    const { port, nameOf } = parse([], { GUILD_LEDGER_MOCK_PORT: address }, (line) => lines.push(line))

    expect([port, nameOf('port')]).toEqual([4010, '--port'])
    const why = `${address} is the address of a service, as Kubernetes sets it. Use --port.`
    expect(lines).toEqual([`GUILD_LEDGER_MOCK_PORT is ignored: ${why}`])
    expect(() => parse([], { GUILD_LEDGER_MOCK_ASSUME: address })).toThrow(`GUILD_LEDGER_MOCK_ASSUME '${address}' is`)
  })

  it('takes blanks around a variable away, such as those of a file with Windows line ends', () => {
    const env = { GUILD_LEDGER_MOCK_PORT: '4011\r', GUILD_LEDGER_MOCK_LOG: '1\r' }

    expect(parse([], env)).toMatchObject({ port: 4011, log: true })
  })

  it('overrides its variable', () => {
    const env = {
      GUILD_LEDGER_MOCK_PORT: 'not a number, but not used',
      GUILD_LEDGER_MOCK_LOG: 'true',
      GUILD_LEDGER_MOCK_CORS: '0',
    }

    expect(parse(['--port', '1', '--no-log', '--cors'], env)).toMatchObject({ port: 1, log: false, cors: true })
  })

  it('takes its last value when it is repeated', () => {
    expect(parse(['--port', '1', '--log', '--no-log', '--port=2'])).toMatchObject({ port: 2, log: false })
  })

  it('that may be repeated leaves its variable to the mock, which starts from it', () => {
    const env = { GUILD_LEDGER_MOCK_ASSUME: 'pageUnit=group, maxPage=3' }

    const { assume } = parse(['--assume', 'maxPage=4', '--assume', 'userLimit=5,tieOrder=ledger'], env)

    expect(assume).toEqual({ maxPage: 4, userLimit: 5, tieOrder: 'ledger' })
  })
})

describe('a value that is not allowed', () => {
  it.each([
    ['GUILD_LEDGER_MOCK_PORT', '65536', 'It must be an integer from 0 to 65535.'],
    ['GUILD_LEDGER_MOCK_SEED', '-1', 'It must be an integer ≥ 0.'],
    ['GUILD_LEDGER_MOCK_USERS', 'ten', 'It must be an integer from 0 to 5000000.'],
    ['GUILD_LEDGER_MOCK_TRANSACTIONS', '1e3', 'It must be an integer from 0 to 5000000.'],
    ['GUILD_LEDGER_MOCK_LOG', 'yes', 'It must be 1 or true for on, 0 or false for off.'],
    ['GUILD_LEDGER_MOCK_JSON', '2', 'It must be 1 or true for on, 0 or false for off.'],
    ['GUILD_LEDGER_MOCK_ASSUME', 'maxPage=1,pageUnits=x', 'pageUnits=x: Unknown assumption `pageUnits`. Did you mean'],
    ['GUILD_LEDGER_MOCK_RATE_LIMIT', '0', "It must be an integer from 1 to 1000000, or 'off'."],
  ])('of the variable %s=%s is rejected by its name', (variable, text, message) => {
    expect(() => parse([], { [variable]: text })).toThrow(`${variable} '${text}' is invalid. ${message}`)
  })

  it('in both places is rejected on the command line', () => {
    expect(() => parse(['--port', 'x'], { GUILD_LEDGER_MOCK_PORT: 'y' })).toThrow(
      "option '--port <N>' argument 'x' is invalid. It must be an integer from 0 to 65535.",
    )
  })
})

it('the command line rejects generated transactions together with a file, by the names that the user gave', () => {
  expect(() => parse(['--data', 'x'], { GUILD_LEDGER_MOCK_SEED: '1', GUILD_LEDGER_MOCK_USERS: '2' })).toThrow(
    '--data has its own transactions: leave out GUILD_LEDGER_MOCK_SEED and GUILD_LEDGER_MOCK_USERS',
  )
})

it.each([
  ['--no-port', "unknown option '--no-port'"],
  ['--no-log=1', "unknown option '--no-log=1'"],
  ['--help=1', "unknown option '--help=1'"],
  ['-x', "unknown option '-x'"],
])('the command line rejects %s', (argument, message) => {
  expect(() => parse([argument])).toThrow(message)
})

it.each([
  ['-h', '--exit-with-parent'],
  ['--help', 'GUILD_LEDGER_MOCK_RATE_LIMIT'],
  ['--help', 'pageUnit'],
  ['-v', '0.0.0'],
  ['--version', '0.0.0'],
])('the command line prints for %s, and leaves nothing to do', (argument, part) => {
  let printed = ''
  const printer = { print: (text: string) => void (printed += text), warn: () => {} }

  expect(parseOptions([argument], {}, printer)).toBeUndefined()
  expect(printed).toContain(part)
})
