import { GuildLedger } from '@guild-ledger/sdk'
import { failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { beforeAll, expect, it } from 'vitest'
import { compile, run } from './wrong-programs.ts'

interface WrongProgram {
  readonly title: string
  readonly program: string
  /** What the compiler says; undefined where only running it shows the mistake. */
  readonly compiler: string | undefined
  readonly message: string
}

/** The mistakes that are easily made, and what a developer reads then. */
const wrongPrograms: readonly WrongProgram[] = [
  {
    title: 'a missing key',
    program: `new GuildLedger({ baseUrl: 'https://ledger.example' })`,
    compiler: undefined,
    message: '`apiKey` is missing: pass it to new GuildLedger({ apiKey }) or set GUILD_LEDGER_API_KEY',
  },
  {
    title: 'a missing baseUrl',
    program: `new GuildLedger({ apiKey: 'k' })`,
    compiler: undefined,
    message: '`baseUrl` is missing: pass it to new GuildLedger({ baseUrl }) or set GUILD_LEDGER_BASE_URL',
  },
  {
    title: 'the key instead of options',
    program: `new GuildLedger('glk-0123456789abcdef')`,
    compiler: `Type '"glk-0123456789abcdef"' has no properties in common with type 'GuildLedgerOptions'.`,
    message: '`options` must be an object, got a string of 20 characters',
  },
  {
    title: 'a misspelt option',
    program: `new GuildLedger({ apikey: 'k', baseUrl: 'https://ledger.example' })`,
    compiler: `Object literal may only specify known properties, but 'apikey' does not exist in type 'GuildLedgerOptions'. Did you mean to write 'apiKey'?`,
    message: 'Unknown option `apikey`. Did you mean `apiKey`?',
  },
  {
    title: 'the key under another name',
    program: `new GuildLedger({ token: 'k', baseUrl: 'https://ledger.example' })`,
    compiler: `Object literal may only specify known properties, and 'token' does not exist in type 'GuildLedgerOptions'.`,
    message: 'Unknown option `token`. Did you mean `apiKey`?',
  },
  {
    title: 'a key read from a file',
    program: `new GuildLedger({ apiKey: 'k\\n', baseUrl: 'https://ledger.example' })`,
    compiler: undefined,
    message: '`apiKey` holds a line break: if it was read from a file, trim it',
  },
  {
    title: 'a promise as key',
    program: `new GuildLedger({ apiKey: Promise.resolve('k'), baseUrl: 'https://ledger.example' })`,
    compiler: `Type 'Promise<string>' is not assignable to type 'string | ApiKeyFunction | undefined'.`,
    message:
      '`apiKey` must be a string, or a function that returns one, got an object with 0 fields: pass a function that returns the promise',
  },
  {
    title: 'an address without scheme',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'ledger.example' })`,
    compiler: undefined,
    message:
      '`baseUrl` must be an address such as https://ledger.example, got something else: does it lack https:// in front?',
  },
  {
    title: 'http on another host',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'http://ledger.example' })`,
    compiler: undefined,
    message:
      '`baseUrl` must be https, or http on a loopback host, got http://ledger.example: the key would be sent unencrypted. On a private network, set allowInsecureHttp.',
  },
  {
    title: 'a full endpoint as baseUrl',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example/guild/ledger/transactions' })`,
    compiler: undefined,
    message:
      '`baseUrl` must be the address of the service without the path of an endpoint, got one that ends in /guild/ledger/transactions',
  },
  {
    title: 'a number of requests as throttle',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', throttle: 10 })`,
    compiler: `Type 'number' is not assignable to type 'false | Throttle | ThrottleOptions | undefined'.`,
    message: '`throttle` must be a throttle, options for one, or false, got 10',
  },
  {
    title: 'a misspelt option of the throttle',
    program: 'createThrottle({ requestPerSecond: 5 })',
    compiler: `Object literal may only specify known properties, but 'requestPerSecond' does not exist in type 'ThrottleOptions'. Did you mean to write 'requestsPerSecond'?`,
    message: 'Unknown option `requestPerSecond`. Did you mean `requestsPerSecond`?',
  },
  {
    title: 'a rate of zero',
    program: 'createThrottle({ requestsPerSecond: 0 })',
    compiler: undefined,
    message: '`requestsPerSecond` must be a number > 0, such as 10, got 0',
  },
  {
    title: 'an unknown log level',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', logLevel: 'trace' })`,
    compiler: `Type '"trace"' is not assignable to type '"debug" | "error" | "info" | "off" | "warn" | undefined'.`,
    message: '`logLevel` must be one of off, error, warn, info, debug, got "trace"',
  },
  {
    title: 'an appInfo with spaces',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', appInfo: { name: 'my bot' } })`,
    compiler: undefined,
    message:
      '`appInfo.name` must be a string of letters, digits and characters such as - . _, got a string of 6 characters',
  },
  {
    title: 'a key in quotes',
    program: `new GuildLedger({ apiKey: '"glk-0123456789abcdef"', baseUrl: 'https://ledger.example' })`,
    compiler: undefined,
    message: '`apiKey` holds quotes at its ends: remove them',
  },
  {
    title: 'an option of retry beside it',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', maxRetries: 5 })`,
    compiler: `Object literal may only specify known properties, and 'maxRetries' does not exist in type 'GuildLedgerOptions'.`,
    message: 'Unknown option `maxRetries`. Did you mean `retry: { maxRetries }`?',
  },
  {
    title: 'an option of the throttle beside it',
    program: `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', requestsPerSecond: 5 })`,
    compiler: `Object literal may only specify known properties, and 'requestsPerSecond' does not exist in type 'GuildLedgerOptions'.`,
    message: 'Unknown option `requestsPerSecond`. Did you mean `throttle: { requestsPerSecond }`?',
  },
  {
    title: 'a parameter as option',
    program: 'await ledger.transactions.list({}, { limit: 5 })',
    compiler: `Object literal may only specify known properties, and 'limit' does not exist in type 'CallOptions'.`,
    message: 'Unknown option `limit`. It is a parameter: pass it in the first argument.',
  },
  {
    title: 'a parameter as option of a paginator',
    program: `await ledger.transactions.iterate({}, { from: 'shop' }).next()`,
    compiler: `Object literal may only specify known properties, and 'from' does not exist in type 'IterateOptions'.`,
    message: 'Unknown option `from`. It is a parameter: pass it in the first argument.',
  },
  {
    title: 'the name of a field as filter',
    program: `await ledger.transactions.list({ source: 'shop' })`,
    compiler: `Object literal may only specify known properties, and 'source' does not exist in type 'GivenQuery<GuildQuery>'.`,
    message: 'Unknown parameter `source`. Did you mean `from`?',
  },
  {
    title: 'the page size under another name',
    program: `await ledger.transactions.list({ pageSize: 5 })`,
    compiler: `Object literal may only specify known properties, and 'pageSize' does not exist in type 'GivenQuery<GuildQuery>'.`,
    message: 'Unknown parameter `pageSize`. Did you mean `limit`?',
  },
  {
    title: 'white space around an identifier',
    program: `await ledger.user(' 8412').transactions.list()`,
    compiler: undefined,
    message: '`platformId` must be a user identifier without white space at its ends, got a string of 5 characters',
  },
  {
    title: 'an invisible space around an identifier',
    program: `await ledger.user('8412\\u200b').transactions.list()`,
    compiler: undefined,
    message: '`platformId` must be a user identifier without white space at its ends, got a string of 5 characters',
  },
  {
    title: 'a minimum above the maximum',
    program: 'await ledger.transactions.list({ minAmount: 10, maxAmount: 5 })',
    compiler: undefined,
    message: '`minAmount` must be at most `maxAmount` (5), got 10',
  },
  {
    title: 'a start after the end',
    program: `await ledger.transactions.list({ startDate: '2026-02-01T00:00:00Z', endDate: new Date('2026-01-01T00:00:00Z') })`,
    compiler: undefined,
    message:
      '`startDate` must be no later than `endDate` (the date 2026-01-01T00:00:00.000Z), got "2026-02-01T00:00:00Z"',
  },
  {
    title: 'page zero',
    program: 'await ledger.transactions.list({ page: 0 })',
    compiler: undefined,
    message: '`page` must be an integer ≥ 1, got 0',
  },
  {
    title: 'a limit above 100',
    program: 'await ledger.transactions.list({ limit: 500 })',
    compiler: undefined,
    message: '`limit` must be an integer from 1 to 100, got 500',
  },
  {
    title: 'a limit as text',
    program: `await ledger.transactions.list({ limit: '50' })`,
    compiler: `Type 'string' is not assignable to type 'number'.`,
    message: '`limit` must be an integer from 1 to 100, got a string of 2 characters',
  },
  {
    title: 'a misspelt parameter',
    program: `await ledger.transactions.list({ sortby: 'name' })`,
    compiler: `Object literal may only specify known properties, but 'sortby' does not exist in type 'GivenQuery<GuildQuery>'. Did you mean to write 'sortBy'?`,
    message: 'Unknown parameter `sortby`. Did you mean `sortBy`?',
  },
  {
    title: 'a negative amount',
    program: 'await ledger.transactions.list({ minAmount: -1 })',
    compiler: undefined,
    message: '`minAmount` must be a number ≥ 0, got -1',
  },
  {
    title: 'a day instead of a date-time',
    program: `await ledger.transactions.list({ startDate: '2026-01-31' })`,
    compiler: undefined,
    message:
      '`startDate` must be a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, got "2026-01-31"',
  },
  {
    title: 'a date as milliseconds',
    program: 'await ledger.transactions.list({ startDate: 1767225600000 })',
    compiler: `Type 'number' is not assignable to type 'string | Date | null | undefined'.`,
    message:
      '`startDate` must be a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, got 1767225600000',
  },
  {
    title: 'a string instead of a query',
    program: `await ledger.transactions.list('shop')`,
    compiler: `Type '"shop"' has no properties in common with type 'GivenQuery<GuildQuery>'.`,
    message: '`query` must be an object with parameters, got a string of 4 characters',
  },
  {
    title: 'signal in the first argument',
    program: 'await ledger.transactions.list({ limit: 5, signal: AbortSignal.timeout(1) })',
    compiler: `Object literal may only specify known properties, and 'signal' does not exist in type 'GivenQuery<GuildQuery>'.`,
    message: 'Unknown parameter `signal`. It is an option: pass it in the second argument.',
  },
  {
    title: 'a controller instead of its signal',
    program: 'await ledger.transactions.list({}, { signal: new AbortController() })',
    compiler: `Type 'AbortController' is missing the following properties from type 'AbortSignal': aborted, onabort, reason, throwIfAborted, and 3 more.`,
    message: '`signal` must be an AbortSignal, got an object with 0 fields: pass the signal of the AbortController',
  },
  {
    title: 'since in the first argument',
    program: `ledger.transactions.watch({ since: 'now' })`,
    compiler: `Object literal may only specify known properties, and 'since' does not exist in type 'GivenQuery<Filters<GuildQuery>>'.`,
    message: 'Unknown parameter `since`. It is an option: pass it in the second argument.',
  },
  {
    title: 'a start date of a watch',
    program: `ledger.transactions.watch({ startDate: new Date('2026-01-31T00:00:00Z') })`,
    compiler: `Object literal may only specify known properties, and 'startDate' does not exist in type 'GivenQuery<Filters<GuildQuery>>'.`,
    message:
      '`startDate` must be left out, as a watch begins with the option `since` in the second argument, got the date 2026-01-31T00:00:00.000Z',
  },
  {
    title: 'a checkpoint as text',
    program: `ledger.transactions.watch({}, { since: '{"version":1}' })`,
    compiler: undefined,
    message: `\`since\` must be 'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint, got "{\\"version\\":1}": pass a checkpoint as an object, JSON.parse(text)`,
  },
  {
    title: 'a start date for one user',
    program: `await ledger.user('8412').transactions.list({ startDate: new Date('2026-01-31T00:00:00Z') })`,
    compiler: `Object literal may only specify known properties, and 'startDate' does not exist in type 'GivenQuery<UserQuery>'.`,
    message: 'Unknown parameter `startDate` for one user. Use ledger.transactions.list({ platformId, startDate }).',
  },
  {
    title: 'one user sorted by name',
    program: `await ledger.user('8412').transactions.list({ sortBy: 'name' })`,
    compiler: `Type '"name"' is not assignable to type '"amount" | "createdAt" | "quantity" | "total" | null | undefined'.`,
    message: `\`sortBy\` must be one of amount, quantity, total, createdAt for one user (use ledger.transactions.list({ platformId, sortBy: 'name' })), got "name"`,
  },
  {
    title: 'an empty identifier',
    program: `await ledger.user('').transactions.list()`,
    compiler: undefined,
    message: '`platformId` must be a user identifier: not empty, not "." or "..", got ""',
  },
  {
    title: 'a number as identifier',
    program: 'await ledger.user(8412).transactions.list()',
    compiler: `Argument of type 'number' is not assignable to parameter of type 'string'.`,
    message: '`platformId` must be a string, got 8412',
  },
  {
    title: 'a mention as identifier',
    program: `await ledger.user('<@123456789>').transactions.list()`,
    compiler: undefined,
    message:
      "`platformId` must be the user's identifier on the game platform, not a mention on the chat platform, got a string of 12 characters",
  },
  {
    title: 'a mention as parameter',
    program: `await ledger.transactions.list({ platformId: '<@!123456789>' })`,
    compiler: undefined,
    message:
      "`platformId` must be the user's identifier on the game platform, not a mention on the chat platform, got a string of 13 characters",
  },
  {
    title: 'an address as path',
    program: `await ledger.get('https://ledger.example/guild/discharges')`,
    compiler: undefined,
    message:
      '`path` must be an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters, got a string of 39 characters',
  },
  {
    title: 'a query inside of a path',
    program: `await ledger.get('/guild/discharges?page=1')`,
    compiler: undefined,
    message:
      '`path` must be an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters, got a string of 24 characters',
  },
  {
    title: 'a paginator used twice',
    program: 'const all = ledger.transactions.iterate(); for await (const _ of all); for await (const _ of all);',
    compiler: undefined,
    message: 'This paginator was iterated before and can be iterated only once. Call the method again for a new one.',
  },
  {
    title: 'a bad concurrency',
    program: 'for await (const _ of ledger.transactions.pages({}, { concurrency: 0 }));',
    compiler: undefined,
    message: '`concurrency` must be an integer from 1 to 100, got 0',
  },
]

let compilerMessages: (string | undefined)[] = []
beforeAll(async () => {
  compilerMessages = await compile(wrongPrograms.map(({ program }) => program))
}, 240_000)

it.each(wrongPrograms)('explains $title', async ({ program, compiler, message }) => {
  const ledger = new GuildLedger(stubService(() => Response.json(guildResponse)).options)

  expect(compilerMessages[wrongPrograms.findIndex((one) => one.program === program)]).toBe(compiler)
  expect(await failureOf(run(program, ledger))).toMatchObject({ message })
})
