import { GuildLedger } from '@guild-ledger/sdk'
import { failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { beforeAll, expect, it } from 'vitest'
import { compile, run } from './wrong-programs.ts'

const client = (option: string) => `new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', ${option} })`
const at = (baseUrl: string) => `new GuildLedger({ apiKey: 'k', baseUrl: '${baseUrl}' })`
const list = (given: string) => `await ledger.transactions.list(${given})`
/** What the compiler says of a name that a type does not have. */
const unknown = (name: string, type: string, meant?: string) =>
  meant === undefined
    ? `Object literal may only specify known properties, and '${name}' does not exist in type '${type}'.`
    : `Object literal may only specify known properties, but '${name}' does not exist in type '${type}'. Did you mean to write '${meant}'?`
const ofGuild = 'GivenQuery<GuildQuery>'
const ofWatch = 'GivenQuery<Filters<GuildQuery>>'
const dateTime = 'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'
const trimmed = '`platformId` must be a user identifier without white space at its ends, got a string of 5 characters'
const mention = "`platformId` must be the user's identifier on the game platform, not a mention on the chat platform"
const path =
  '`path` must be an absolute path such as /guild/discharges, without dot segments, query, fragment or control characters'

/** Mistakes that are easily made, what a developer reads when the program runs, and what the compiler says before, if anything. */
const wrongPrograms: [program: string, message: string, compiler?: string][] = [
  [
    `new GuildLedger({ baseUrl: 'https://ledger.example' })`,
    '`apiKey` is missing: pass it to new GuildLedger({ apiKey }) or set GUILD_LEDGER_API_KEY',
  ],
  [
    `new GuildLedger({ apiKey: 'k' })`,
    '`baseUrl` is missing: pass it to new GuildLedger({ baseUrl }) or set GUILD_LEDGER_BASE_URL',
  ],
  [
    `new GuildLedger('glk-0123456789abcdef')`,
    '`options` must be an object, got a string of 20 characters',
    `Type '"glk-0123456789abcdef"' has no properties in common with type 'GuildLedgerOptions'.`,
  ],
  [
    `new GuildLedger({ apikey: 'k', baseUrl: 'https://ledger.example' })`,
    'Unknown option `apikey`. Did you mean `apiKey`?',
    unknown('apikey', 'GuildLedgerOptions', 'apiKey'),
  ],
  [
    `new GuildLedger({ token: 'k', baseUrl: 'https://ledger.example' })`,
    'Unknown option `token`. Did you mean `apiKey`?',
    unknown('token', 'GuildLedgerOptions'),
  ],
  [
    `new GuildLedger({ apiKey: 'k\\n', baseUrl: 'https://ledger.example' })`,
    '`apiKey` holds a line break: if it was read from a file, trim it',
  ],
  [
    `new GuildLedger({ apiKey: '"glk-0123456789abcdef"', baseUrl: 'https://ledger.example' })`,
    '`apiKey` holds quotes at its ends: remove them',
  ],
  [
    `new GuildLedger({ apiKey: Promise.resolve('k'), baseUrl: 'https://ledger.example' })`,
    '`apiKey` must be a string, or a function that returns one, got an object with 0 fields: pass a function that returns the promise',
    `Type 'Promise<string>' is not assignable to type 'string | ApiKeyFunction | undefined'.`,
  ],
  [
    at('ledger.example'),
    '`baseUrl` must be an address such as https://ledger.example, got something else: does it lack https:// in front?',
  ],
  [
    at('http://ledger.example'),
    '`baseUrl` must be https, or http on a loopback host, got http://ledger.example: the key would be sent unencrypted. On a private network, set allowInsecureHttp.',
  ],
  [
    at('https://ledger.example/guild/ledger/transactions'),
    '`baseUrl` must be the address of the service without the path of an endpoint, got one that ends in /guild/ledger/transactions',
  ],
  [
    client('throttle: 10'),
    '`throttle` must be a throttle, options for one, or false, got 10',
    `Type 'number' is not assignable to type 'false | Throttle | ThrottleOptions | undefined'.`,
  ],
  [
    'createThrottle({ requestPerSecond: 5 })',
    'Unknown option `requestPerSecond`. Did you mean `requestsPerSecond`?',
    unknown('requestPerSecond', 'ThrottleOptions', 'requestsPerSecond'),
  ],
  ['createThrottle({ requestsPerSecond: 0 })', '`requestsPerSecond` must be a number > 0, such as 10, got 0'],
  [
    client(`logLevel: 'trace'`),
    '`logLevel` must be one of off, error, warn, info, debug, got "trace"',
    `Type '"trace"' is not assignable to type '"debug" | "error" | "info" | "off" | "warn" | undefined'.`,
  ],
  [
    client(`appInfo: { name: 'my bot' }`),
    '`appInfo.name` must be a string of letters, digits and characters such as - . _, got a string of 6 characters',
  ],
  [
    client('maxRetries: 5'),
    'Unknown option `maxRetries`. Did you mean `retry: { maxRetries }`?',
    unknown('maxRetries', 'GuildLedgerOptions'),
  ],
  [
    client('requestsPerSecond: 5'),
    'Unknown option `requestsPerSecond`. Did you mean `throttle: { requestsPerSecond }`?',
    unknown('requestsPerSecond', 'GuildLedgerOptions'),
  ],
  [
    list('{}, { limit: 5 }'),
    'Unknown option `limit`. It is a parameter: pass it in the first argument.',
    unknown('limit', 'CallOptions'),
  ],
  [
    `await ledger.transactions.iterate({}, { from: 'shop' }).next()`,
    'Unknown option `from`. It is a parameter: pass it in the first argument.',
    unknown('from', 'IterateOptions'),
  ],
  [list(`{ source: 'shop' }`), 'Unknown parameter `source`. Did you mean `from`?', unknown('source', ofGuild)],
  [list('{ pageSize: 5 }'), 'Unknown parameter `pageSize`. Did you mean `limit`?', unknown('pageSize', ofGuild)],
  [
    list(`{ sortby: 'name' }`),
    'Unknown parameter `sortby`. Did you mean `sortBy`?',
    unknown('sortby', ofGuild, 'sortBy'),
  ],
  [`await ledger.user(' 8412').transactions.list()`, trimmed],
  [`await ledger.user('8412\\u200b').transactions.list()`, trimmed],
  [list('{ minAmount: 10, maxAmount: 5 }'), '`minAmount` must be at most `maxAmount` (5), got 10'],
  [
    list(`{ startDate: '2026-02-01T00:00:00Z', endDate: new Date('2026-01-01T00:00:00Z') }`),
    '`startDate` must be no later than `endDate` (the date 2026-01-01T00:00:00.000Z), got "2026-02-01T00:00:00Z"',
  ],
  [list('{ page: 0 }'), '`page` must be an integer ≥ 1, got 0'],
  [list('{ limit: 500 }'), '`limit` must be an integer from 1 to 100, got 500'],
  [
    list(`{ limit: '50' }`),
    '`limit` must be an integer from 1 to 100, got a string of 2 characters',
    `Type 'string' is not assignable to type 'number'.`,
  ],
  [list('{ minAmount: -1 }'), '`minAmount` must be a number ≥ 0, got -1'],
  [list(`{ startDate: '2026-01-31' }`), `\`startDate\` must be ${dateTime}, got "2026-01-31"`],
  [
    list('{ startDate: 1767225600000 }'),
    `\`startDate\` must be ${dateTime}, got 1767225600000`,
    `Type 'number' is not assignable to type 'string | Date | null | undefined'.`,
  ],
  [
    list(`'shop'`),
    '`query` must be an object with parameters, got a string of 4 characters',
    `Type '"shop"' has no properties in common with type 'GivenQuery<GuildQuery>'.`,
  ],
  [
    list('{ limit: 5, signal: AbortSignal.timeout(1) }'),
    'Unknown parameter `signal`. It is an option: pass it in the second argument.',
    unknown('signal', ofGuild),
  ],
  [
    list('{}, { signal: new AbortController() }'),
    '`signal` must be an AbortSignal, got an object with 0 fields: pass the signal of the AbortController',
    `Type 'AbortController' is missing the following properties from type 'AbortSignal': aborted, onabort, reason, throwIfAborted, and 3 more.`,
  ],
  [
    `ledger.transactions.watch({ since: 'now' })`,
    'Unknown parameter `since`. It is an option: pass it in the second argument.',
    unknown('since', ofWatch),
  ],
  [
    `ledger.transactions.watch({ startDate: new Date('2026-01-31T00:00:00Z') })`,
    '`startDate` must be left out, as a watch begins with the option `since` in the second argument, got the date 2026-01-31T00:00:00.000Z',
    unknown('startDate', ofWatch),
  ],
  [
    `ledger.transactions.watch({}, { since: '{"version":1}' })`,
    `\`since\` must be 'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint, got "{\\"version\\":1}": pass a checkpoint as an object, JSON.parse(text)`,
  ],
  [
    `await ledger.user('8412').transactions.list({ startDate: new Date('2026-01-31T00:00:00Z') })`,
    'Unknown parameter `startDate` for one user. Use ledger.transactions.list({ platformId, startDate }).',
    unknown('startDate', 'GivenQuery<UserQuery>'),
  ],
  [
    `await ledger.user('8412').transactions.list({ sortBy: 'name' })`,
    `\`sortBy\` must be one of amount, quantity, total, createdAt for one user (use ledger.transactions.list({ platformId, sortBy: 'name' })), got "name"`,
    `Type '"name"' is not assignable to type '"amount" | "createdAt" | "quantity" | "total" | null | undefined'.`,
  ],
  [
    `await ledger.user('').transactions.list()`,
    '`platformId` must be a user identifier: not empty, not "." or "..", got ""',
  ],
  [
    'await ledger.user(8412).transactions.list()',
    '`platformId` must be a string, got 8412',
    `Argument of type 'number' is not assignable to parameter of type 'string'.`,
  ],
  [`await ledger.user('<@123456789>').transactions.list()`, `${mention}, got a string of 12 characters`],
  [list(`{ platformId: '<@!123456789>' }`), `${mention}, got a string of 13 characters`],
  [`await ledger.get('https://ledger.example/guild/discharges')`, `${path}, got a string of 39 characters`],
  [`await ledger.get('/guild/discharges?page=1')`, `${path}, got a string of 24 characters`],
  [
    'const all = ledger.transactions.iterate(); for await (const _ of all); for await (const _ of all);',
    'This paginator was iterated before. Call the method again for a new one.',
  ],
  [
    'for await (const _ of ledger.transactions.pages({}, { concurrency: 0 }));',
    '`concurrency` must be an integer from 1 to 100, got 0',
  ],
]

let compilerMessages: (string | undefined)[] = []
beforeAll(async () => {
  compilerMessages = await compile(wrongPrograms.map(([program]) => program))
}, 240_000)

it.each(wrongPrograms)('explains what is wrong with %s', async (program, message, compiler) => {
  const ledger = new GuildLedger(stubService(() => Response.json(guildResponse)).options)

  expect(compilerMessages[wrongPrograms.findIndex(([one]) => one === program)]).toBe(compiler)
  expect(await failureOf(run(program, ledger))).toMatchObject({ message })
})
