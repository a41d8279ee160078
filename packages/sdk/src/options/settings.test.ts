import { afterEach, describe, expect, it, vi } from 'vitest'
import { GuildLedger } from '../index.ts'

const working = { apiKey: 'k3y', baseUrl: 'https://ledger.example' }
const failureOf = (options: Record<string, unknown>): unknown => {
  try {
    return new GuildLedger(options)
  } catch (error) {
    return error
  }
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('options', () => {
  it.each([
    ['apiKey', 7, 'apiKey must be a string; got something else'],
    ['apiKey', 'a\nb', 'apiKey holds a line break: it was probably read from a file; trim it'],
    [
      'apiKey',
      'kéy☃',
      'apiKey holds characters that no header can carry (spaces, control or non-Latin-1 ones): copy it anew',
    ],
    [
      'baseUrl',
      'ledger.example',
      'baseUrl must be an address such as https://ledger.example; what was given cannot be read as one: does it lack https:// in front?',
    ],
    [
      'baseUrl',
      'ftp://ledger.example',
      'baseUrl must begin with https://, or with http:// for this machine; it begins with something else',
    ],
    [
      'baseUrl',
      'https://me:pw@ledger.example',
      'baseUrl must not hold a user name or password; got one before ledger.example',
    ],
    [
      'baseUrl',
      'https://ledger.example/?a=1',
      'baseUrl must not have a query or a fragment; got one after https://ledger.example/',
    ],
    [
      'baseUrl',
      'https://ledger.example/#a',
      'baseUrl must not have a query or a fragment; got one after https://ledger.example/',
    ],
    [
      'baseUrl',
      'http://ledger.example',
      'baseUrl must be https, or http on this machine: the key would cross the network in the clear; got http://ledger.example. On a private network, set allowInsecureHttp.',
    ],
    ['timeoutMs', 0, 'timeoutMs must be a number of milliseconds from 1 to 2147483647; got 0'],
    ['timeoutMs', Number.NaN, 'timeoutMs must be a number of milliseconds from 1 to 2147483647; got NaN'],
    ['attemptTimeoutMs', '5', 'attemptTimeoutMs must be a number of milliseconds from 1 to 2147483647; got "5"'],
    ['retry', true, 'retry must be false, or an object with maxRetries, baseDelayMs and maxDelayMs; got true'],
    ['retry.maxRetries', { maxRetries: -1 }, 'retry.maxRetries must be a whole number from 0 to 100; got -1'],
    [
      'retry.maxDelayMs',
      { maxDelayMs: Infinity },
      'retry.maxDelayMs must be a number of milliseconds from 0 to 2147483647; got Infinity',
    ],
    ['throttle', 10, 'throttle must be a throttle, options for one, or false; got 10'],
    [
      'throttle',
      { rate: 10 },
      'rate must be left out, as no such name is known (there are requestsPerSecond, guarantee, share, maxQueue, marginMs, onStepDown, clock); got a value',
    ],
    ['validation', 'loose', 'validation must be one of strict, warn, off; got "loose"'],
    ['fetch', 'fetch', 'fetch must be a function; got "fetch"'],
    ['middleware', [1], 'middleware[0] must be a function; got 1'],
    ['logger', console.log, 'logger must be an object with debug, info, warn and error; got a function'],
    ['logLevel', 'verbose', 'logLevel must be one of off, error, warn, info, debug; got "verbose"'],
    [
      'retry.jitter',
      { jitter: 5 },
      'retry.jitter must be left out, as no such name is known (there are maxRetries, baseDelayMs, maxDelayMs); got a value',
    ],
    ['timeout', 5, 'timeout must be left out, as no such name is known (did you mean timeoutMs?); got a value'],
  ])('refuses %s: %j', (path, value, message) => {
    const [option = ''] = path.split('.')
    expect(failureOf({ ...working, [option]: value })).toMatchObject({
      name: 'ConfigurationError',
      code: 'configuration',
      message,
    })
  })

  it.each([
    [
      'apiKey',
      { baseUrl: 'https://ledger.example' },
      'apiKey is missing: pass it to new GuildLedger({ apiKey }) or set GUILD_LEDGER_API_KEY',
    ],
    [
      'baseUrl',
      { apiKey: 'k3y' },
      'baseUrl is missing: pass it to new GuildLedger({ baseUrl }) or set GUILD_LEDGER_BASE_URL',
    ],
  ])('asks for %s where it is missing', (option, options, message) => {
    expect(failureOf(options)).toMatchObject({ code: 'configuration', option, message })
  })

  it.each([
    'https://ledger.example',
    'https://ledger.example/v1/',
    'http://localhost:4010',
    'http://127.0.0.1:1',
    'http://[::1]:1',
  ])('takes %s as base URL', (baseUrl) => {
    expect(failureOf({ apiKey: 'k3y', baseUrl })).toBeInstanceOf(GuildLedger)
  })

  it('goes over plain http to another machine only when told to', () => {
    expect(failureOf({ apiKey: 'k3y', baseUrl: 'http://ledger.lan', allowInsecureHttp: true })).toBeInstanceOf(
      GuildLedger,
    )
  })

  it('never shows a key it refuses', () => {
    expect(String(failureOf({ ...working, apiKey: 'sec ret' }))).not.toContain('ret ')
    expect(JSON.stringify(failureOf({ ...working, apiKey: ['sec', 'ret'] }))).not.toContain('sec')
  })

  it('reads key, address and log level from the environment', () => {
    vi.stubEnv('GUILD_LEDGER_API_KEY', 'from-env')
    vi.stubEnv('GUILD_LEDGER_BASE_URL', 'https://env.example/v2/')
    expect(JSON.stringify(failureOf({}))).toBe('{"baseUrl":"https://env.example/v2"}')
    vi.stubEnv('GUILD_LEDGER_LOG', 'loud')
    expect(failureOf({})).toMatchObject({
      option: 'logLevel',
      message: 'GUILD_LEDGER_LOG must be one of off, error, warn, info, debug; got "loud"',
    })
  })

  it('works where reading the environment is forbidden', () => {
    vi.stubGlobal('process', {
      get env() {
        throw new Error('NotCapable')
      },
    })
    expect(failureOf(working)).toBeInstanceOf(GuildLedger)
  })

  it('refuses to run in a web page, saying why, unless told that it is safe', () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', {})
    expect(failureOf(working)).toMatchObject({
      option: 'dangerouslyAllowBrowser',
      message: expect.stringContaining('every visitor'),
    })
    expect(failureOf({ ...working, dangerouslyAllowBrowser: true })).toBeInstanceOf(GuildLedger)
  })

  it('reads options once: later changes to the object change nothing', async () => {
    const urls: string[] = []
    const options = { ...working, fetch: async (url: string) => (urls.push(url), Response.json({}, { status: 401 })) }
    const ledger = new GuildLedger(options)
    options.baseUrl = 'https://elsewhere.example'
    await ledger.transactions.list().catch(() => {})
    expect(urls).toEqual(['https://ledger.example/guild/ledger/transactions'])
  })
})
