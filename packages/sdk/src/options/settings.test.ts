import { failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, expect, it, vi } from 'vitest'
import { GuildLedger } from '../index.ts'
import { clientSettings } from './settings.ts'

const valid = { apiKey: 'k3y', baseUrl: 'https://ledger.example' }
const failureWith = (options: Record<string, unknown>) => failureOf(() => new GuildLedger(options))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const beside = '`baseUrl` must not hold a user name, a password, a query or a fragment, got one beside ledger.example'
const throttleOptions = '`requestsPerSecond`, `share`, `maxQueue`, `marginMs`, `onPaceChange`, `clock`'
const retryOptions = '`retry.maxRetries`, `retry.maxRateLimitRetries`, `retry.baseDelayMs`, `retry.maxDelayMs`'
const milliseconds = (from: number, got: string) =>
  `must be a number of milliseconds from ${from} to 2147483647, got ${got}`
it.each([
  ['apiKey', 7, '`apiKey` must be a string, or a function that returns one, got a number'],
  [
    'apiKey',
    'kéy☃',
    '`apiKey` holds characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again',
  ],
  [
    'baseUrl',
    'ftp://ledger.example',
    '`baseUrl` must begin with https://, or with http:// for a loopback host, got another scheme',
  ],
  ['baseUrl', 'https://me:pw@ledger.example', beside],
  ['baseUrl', 'https://ledger.example/?a=1', beside],
  ['baseUrl', 'https://ledger.example/#a', beside],
  [
    'baseUrl',
    'http://localhost.example',
    '`baseUrl` must be https, or http on a loopback host, got http://localhost.example: the key would be sent unencrypted. On a private network, set allowInsecureHttp.',
  ],
  ['timeoutMs', 0, `\`timeoutMs\` ${milliseconds(1, '0')}`],
  ['attemptTimeoutMs', '5', `\`attemptTimeoutMs\` ${milliseconds(1, 'a string of 1 character')}`],
  ['retry', true, '`retry` must be false, or an object with maxRetries, baseDelayMs and maxDelayMs, got true'],
  ['retry.maxRetries', { maxRetries: -1 }, '`retry.maxRetries` must be an integer from 0 to 100, got -1'],
  ['retry.maxDelayMs', { maxDelayMs: Infinity }, `\`retry.maxDelayMs\` ${milliseconds(0, 'Infinity')}`],
  ['retry.jitter', { jitter: 5 }, `Unknown option \`retry.jitter\`. Known options: ${retryOptions}.`],
  ['throttle', { rate: 10 }, `Unknown option \`rate\`. Known options: ${throttleOptions}.`],
  ['validation', 'loose', '`validation` must be one of strict, warn, off, got "loose"'],
  ['maxResponseBytes', 0, '`maxResponseBytes` must be an integer ≥ 1, got 0'],
  ['fetch', 'fetch', '`fetch` must be a function, got a string of 5 characters'],
  ['middleware', [1], '`middleware[0]` must be a function, got 1'],
  ['logger', console.log, '`logger` must be an object with debug, info, warn and error, got a function'],
  ['timeout', 5, 'Unknown option `timeout`. Did you mean `timeoutMs`?'],
])('rejects the option %s: %j', async (path, value, message) => {
  const [option = ''] = path.split('.')
  const error = { name: 'ConfigurationError', code: 'configuration', message }

  expect(await failureWith({ ...valid, [option]: value })).toMatchObject(error)
})

it.each([
  ['https://ledger.example', {}],
  ['https://ledger.example/v1/', {}],
  ['http://localhost:4010', {}],
  ['http://127.0.0.1:1', {}],
  ['http://[::1]:1', {}],
  ['http://ledger.lan', { allowInsecureHttp: true }],
])('accepts %s as baseUrl with the options %j', (baseUrl, options) => {
  expect(new GuildLedger({ apiKey: 'k3y', baseUrl, ...options })).toBeInstanceOf(GuildLedger)
})

it('reads key and address from the environment', () => {
  vi.stubEnv('GUILD_LEDGER_API_KEY', 'from-env')
  vi.stubEnv('GUILD_LEDGER_BASE_URL', 'https://env.example/v2/')
  expect(JSON.stringify(new GuildLedger())).toBe('{"baseUrl":"https://env.example/v2"}')
})

it.each([
  ['INFO', 'info', 1],
  [' Debug ', 'debug', 1],
  ['off', 'warn', 0],
])('reads the log level %j from the environment', (value, level, lines) => {
  vi.stubEnv('GUILD_LEDGER_LOG', value)
  const { options, ...service } = stubService(() => Response.json(guildResponse))
  const { log } = clientSettings(options)

  log(level as 'info', 'retry', 'a line')

  expect(service.lines).toEqual(lines === 1 ? [`${level} guild-ledger: a line`] : [])
})

it('warns once of a log level in the environment that does not exist, and uses the default', () => {
  vi.stubEnv('GUILD_LEDGER_LOG', 'loud')
  const { options, lines } = stubService(() => Response.json(guildResponse))

  for (let i = 0; i < 2; i++) new GuildLedger(options).toJSON()

  expect(lines).toEqual([
    'warn guild-ledger: `GUILD_LEDGER_LOG` must be one of off, error, warn, info, debug, got "loud": the log level is \'warn\'.',
  ])
})

it('works where reading the environment is forbidden', () => {
  vi.stubGlobal('process', {
    get env() {
      throw new Error('NotCapable')
    },
  })

  expect(new GuildLedger(valid)).toBeInstanceOf(GuildLedger)
})

it('rejects use in a web page, and says why, without dangerouslyAllowBrowser', async () => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {})

  expect(await failureWith(valid)).toMatchObject({
    option: 'dangerouslyAllowBrowser',
    message: expect.stringContaining('every visitor'),
  })
  expect(new GuildLedger({ ...valid, dangerouslyAllowBrowser: true })).toBeInstanceOf(GuildLedger)
})

it('ignores later changes to the options', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const options: { -readonly [Name in keyof typeof service.options]: unknown } = { ...service.options }
  const ledger = new GuildLedger(options as typeof service.options)

  options.baseUrl = 'https://elsewhere.example'
  await ledger.transactions.list()

  expect(service.sent.map(({ url }) => url)).toEqual(['https://ledger.example/guild/ledger/transactions'])
})
