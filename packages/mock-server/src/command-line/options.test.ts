import { describe, expect, it } from 'vitest'
import { flagNames } from './flags.ts'
import { readOptions } from './options.ts'

type Row = readonly [flag: string, variable: string, text: string, value: unknown, otherwise: unknown]

/** Each option as it is written in both places, a value of it, and what it is when nobody says anything. */
const rows: Readonly<Record<string, Row>> = {
  port: ['--port', 'GUILD_LEDGER_MOCK_PORT', '8080', 8080, 4010],
  host: ['--host', 'GUILD_LEDGER_MOCK_HOST', '0.0.0.0', '0.0.0.0', '127.0.0.1'],
  seed: ['--seed', 'GUILD_LEDGER_MOCK_SEED', '7', 7, 1],
  users: ['--users', 'GUILD_LEDGER_MOCK_USERS', '3', 3, 50],
  transactions: ['--transactions', 'GUILD_LEDGER_MOCK_TRANSACTIONS', '9', 9, 1000],
  data: ['--data', 'GUILD_LEDGER_MOCK_DATA', 'rows.ndjson', 'rows.ndjson', undefined],
  rateLimit: ['--rate-limit', 'GUILD_LEDGER_MOCK_RATE_LIMIT', 'off', 'off', 10],
  apiKey: ['--api-key', 'GUILD_LEDGER_MOCK_API_KEY', 'secret', 'secret', 'guild-ledger-mock-key'],
  assumptions: ['--assumptions', 'GUILD_LEDGER_MOCK_ASSUMPTIONS', 'a.json', 'a.json', undefined],
  assume: ['--assume', 'GUILD_LEDGER_MOCK_ASSUME', 'pageUnit=group,maxPage=3', { pageUnit: 'group', maxPage: 3 }, {}],
  explain: ['--explain', 'GUILD_LEDGER_MOCK_EXPLAIN', '1', true, undefined],
  adminToken: ['--admin-token', 'GUILD_LEDGER_MOCK_ADMIN_TOKEN', 'secret', 'secret', undefined],
  cors: ['--cors', 'GUILD_LEDGER_MOCK_CORS', 'true', true, undefined],
  log: ['--log', 'GUILD_LEDGER_MOCK_LOG', 'TRUE', true, undefined],
  json: ['--json', 'GUILD_LEDGER_MOCK_JSON', '1', true, undefined],
}
const named = flagNames.map((name) => [name, ...(rows[name] ?? ['', '', '', '', ''])] as const)
const switches = new Set(['explain', 'cors', 'log', 'json'])

describe('an option', () => {
  it.each(named)('%s can be given as %s or as %s', (name, flag, variable, text, value, otherwise) => {
    const args = switches.has(name) ? [flag] : [flag, text]

    expect(readOptions(args)[name]).toEqual(value)
    expect(readOptions([], { [variable]: text })[name]).toEqual(value)
    expect(readOptions([], { [variable]: '' })[name]).toEqual(otherwise)
    expect(readOptions([])[name]).toEqual(otherwise)
  })

  it.each(named)('%s is called as the user called it', (name, flag, variable, text) => {
    const args = switches.has(name) ? [flag] : [flag, text]

    expect(readOptions([], { [variable]: text }).called(name)).toBe(variable)
    expect(readOptions(args, { [variable]: text }).called(name)).toBe(flag)
  })

  it('goes before its variable', () => {
    const env = {
      GUILD_LEDGER_MOCK_PORT: 'nonsense, but nobody asks',
      GUILD_LEDGER_MOCK_LOG: 'true',
      GUILD_LEDGER_MOCK_CORS: '0',
    }

    expect(readOptions(['--port', '1', '--no-log', '--cors'], env)).toMatchObject({ port: 1, log: false, cors: true })
  })

  it('goes before itself when it is repeated', () => {
    expect(readOptions(['--port', '1', '--log', '--no-log', '--port=2'])).toMatchObject({ port: 2, log: false })
  })

  it('that may be repeated adds to its variable, and goes over it', () => {
    const env = { GUILD_LEDGER_MOCK_ASSUME: 'pageUnit=group, maxPage=3' }

    const { assume } = readOptions(['--assume', 'maxPage=4', '--assume', 'userLimit=5,tieOrder=ledger'], env)

    expect(assume).toEqual({ pageUnit: 'group', maxPage: 4, userLimit: 5, tieOrder: 'ledger' })
  })
})

describe('a wrong value', () => {
  it.each([
    ['GUILD_LEDGER_MOCK_PORT', '65536', 'must be a whole number from 0 to 65535, not "65536".'],
    ['GUILD_LEDGER_MOCK_SEED', '-1', 'must be a whole number of at least 0, not "-1".'],
    ['GUILD_LEDGER_MOCK_USERS', 'ten', 'must be a whole number of at least 0, not "ten".'],
    ['GUILD_LEDGER_MOCK_TRANSACTIONS', '1e3', 'must be a whole number of at least 0, not "1e3".'],
    ['GUILD_LEDGER_MOCK_LOG', 'yes', 'must be 1 or true for on, 0 or false for off, not "yes".'],
    ['GUILD_LEDGER_MOCK_JSON', '2', 'must be 1 or true for on, 0 or false for off, not "2".'],
    ['GUILD_LEDGER_MOCK_ASSUME', 'maxPage=1,pageUnits=x', 'pageUnits=x: Unknown assumption "pageUnits": did you mean'],
    [
      'GUILD_LEDGER_MOCK_RATE_LIMIT',
      '0',
      'must be a whole number of requests a second from 1 to 1000000, or off for no limit, not "0".',
    ],
  ])('of the variable %s=%s is refused by its name', (variable, text, message) => {
    expect(() => readOptions([], { [variable]: text })).toThrow(`${variable} ${message}`)
  })

  it('in both places is refused where it counts', () => {
    expect(() => readOptions(['--port', 'x'], { GUILD_LEDGER_MOCK_PORT: 'y' })).toThrow('--port must be a whole number')
  })
})

it('refuses rows twice over, and says where they were asked for', () => {
  expect(() => readOptions(['--data', 'x'], { GUILD_LEDGER_MOCK_SEED: '1', GUILD_LEDGER_MOCK_USERS: '2' })).toThrow(
    '--data brings its own rows: leave out GUILD_LEDGER_MOCK_SEED and GUILD_LEDGER_MOCK_USERS.',
  )
})

it.each([
  ['--no-port', 'Unknown option --no-port:'],
  ['--no-log=1', '--no-log takes no value, but was given "1".'],
  ['--help=1', '--help takes no value'],
  ['-x', 'Unknown option -x: there are --port, --host,'],
])('does not take %s', (argument, message) => {
  expect(() => readOptions([argument])).toThrow(message)
})

it('asks what it is asked', () => {
  expect(readOptions(['-h'])).toMatchObject({ help: true, version: false })
  expect(readOptions(['--version'])).toMatchObject({ help: false, version: true })
})
