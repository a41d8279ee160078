import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { program, runInTurn, runProgram, startService, temporaryFolder } from './support.ts'

const key = 'sk-live-3f9a7c21b8e64d05a1'
const date = '2026-01-31T00:00:00Z'
const checkpoint = { version: 1, watched: 'http://127.0.0.1:9/guild/ledger/transactions', from: null, seen: [] }
const state = (change: object) =>
  JSON.stringify({ version: 1, format: 'ndjson', file: 'out', bytes: 0, checkpoint, ...change })
const files: Record<string, string> = {
  exists: 'something',
  'no.json': 'no JSON',
  'other.json': '{"a":1}',
  'list.json': '[]',
  'receipt.json': '{"receipt":1,"format":"csv","file":{}}',
  'later.json': '{"receipt":2,"format":"csv","file":{}}',
  'filters.json': state({ checkpoint: { ...checkpoint, watched: `${checkpoint.watched}?from=shop` } }),
  'format.json': state({ format: 'sqlite' }),
  'file.json': state({ file: 'another' }),
  'begun.json': state({ format: 'sqlite', file: 'none.db', checkpoint: { ...checkpoint, from: date } }),
  'short.json': state({ file: 'exists', bytes: 99 }),
  edited: '{}\r\n{}\r\n',
  'edited.json': state({ file: 'edited', bytes: 4 }),
  'negative.json': state({ file: 'exists', bytes: -1 }),
  'metadata.json': '{"streams":[{"tap_stream_id":"transactions","metadata":{"selected":true}}]}',
  'config.json': '{"form":"shop"}',
  'message.json': '{"type":"STATE","value":{"bookmarks":{}}}',
  'amount.json': '{"minAmount":"many"}',
}

const incremental = 'export --format ndjson --out out --state'
const stale = (what: string, name: string) =>
  `${what}, which --state ${name} continues: --full exports everything again`
const changed = 'was changed since the last run'

/** What is typed, the sentence, and the exit code if it is not 2. Nothing listens at the address. */
const mistakes: readonly (readonly [typed: string, sentence: string | RegExp, code?: number])[] = [
  ['', 'The first argument must be one of verify, export, watch, gateway. See --help.'],
  ['exprot', "unknown command 'exprot' (Did you mean export?) See --help."],
  [key, 'The first argument must be one of verify, export, watch, gateway. See --help.'],
  ['verify --verbos', 'Unknown option `--verbos`. Did you mean `--verbose`?'],
  [`verify --api-key=${key}`, /^No option takes the API key, because others see command lines/],
  [`verify --api-key ${key}`, /^No option takes the API key, because others see command lines/],
  [`verify ${key}`, /^too many arguments/],
  [
    `verify --api-key-env ${key}`,
    '`--api-key-env` must be the name of an environment variable that holds the API key.',
  ],
  ['verify --api-key-env NO_KEY', 'The environment variable NO_KEY is not set: it must hold the API key.'],
  ['verify --api-key-env EMPTY', 'The environment variable EMPTY is empty: it must hold the API key.'],
  ['verify --base-url=', 'The address of the service is missing: give --base-url or set GUILD_LEDGER_BASE_URL.'],
  ['verify --base-url ledger.example', /^`--base-url` must be an address such as https:\/\/ledger\.example/],
  [
    'verify --base-url http://ledger.example',
    '`--base-url` must be https, or http on a loopback host, got http://ledger.example: the key would be sent unencrypted.',
  ],
  ['verify', /^GET \/guild\/ledger\/transactions failed: /, 1],
  ['export', '--format is missing: it must be one of csv, ndjson, sqlite, singer.'],
  [
    'export --format cvs',
    "option '--format <FORMAT>' argument 'cvs' is invalid. Allowed choices are csv, ndjson, sqlite, singer. See --help.",
  ],
  ['export --format csv --form shop', 'Unknown option `--form`. Did you mean `--format`?'],
  ['export --format csv --source shop', 'Unknown option `--source`. Did you mean `--from`?'],
  ['export --format csv --user 8412', 'Unknown option `--user`. Did you mean `--platform-id`?'],
  ['export --format csv --minAmount 1', 'Unknown option `--minAmount`. Did you mean `--min-amount`?'],
  ['export --format csv --min-amount many', /`--min-amount` must be a number ≥ 0, got "many"/],
  ['export --format csv --min-amount=', /`--min-amount` must be a number ≥ 0, got ""/],
  ['export --format csv --min-amount -1', /`--min-amount` must be a number ≥ 0, got "-1"/],
  ['export --format csv --min-amount 5 --max-amount 1', '`--min-amount` must be at most `--max-amount` (1), got 5'],
  ['export --format csv --platform-id ..', /`--platform-id` must be a user identifier/],
  ['export --format csv --start-date 2026-01-31', /`--start-date` must be an ISO 8601 date-time with its offset/],
  ['export --format csv --days 1.5', /It must be an integer from 0 to 36500\./],
  [
    'export --format csv --days 3 --time-zone Europe/Berln',
    '`--time-zone` must be a time zone such as Europe/Berlin, got "Europe/Berln"',
  ],
  ['export --format csv --time-zone UTC', '--time-zone needs --days.'],
  [`export --format csv --days 3 --start-date ${date}`, '--start-date does not go with --days.'],
  ['export --format csv --retry-for long', /It must be a number of seconds from 0 to 2147483\./],
  ['export --format csv --state s', '--state does not go with --format csv, only with ndjson, sqlite, singer.'],
  ['export --format ndjson --excel', '--excel does not go with --format ndjson, only with csv.'],
  ['export --format sqlite', '--out is missing: --format sqlite writes to a file.'],
  ['export --format ndjson --state s', '--out is missing: --format ndjson with --state writes to a file.'],
  [`export --format ndjson --out out --state s --start-date ${date}`, '--state does not go with --start-date.'],
  ['export --format ndjson --out out --state s --days 3', '--state does not go with --days.'],
  [
    `export --format singer --start-date ${date}`,
    '--start-date does not go with --format singer, only with csv, ndjson, sqlite.',
  ],
  ['export --format ndjson --out exists --state short.json', stale(`exists ${changed}`, 'short.json')],
  ['export --format ndjson --out edited --state edited.json', stale(`edited ${changed}`, 'edited.json')],
  ['export --format sqlite --out none.db --state begun.json', stale('none.db is missing', 'begun.json')],
  ['export --format ndjson --full', '--full needs --state.'],
  ['export --format csv --out exists', '--out exists exists: --force overwrites it.'],
  [
    'export --format sqlite --out exists --state s',
    '--out exists exists: --force overwrites it, --state continues what it began.',
  ],
  ['export --format csv --out folder', '--out folder must be a file in a folder that exists.'],
  ['export --format csv --out a --receipt ./a', '--out, --state and --receipt must be different files.'],
  ['export --format csv --receipt none/r', '--receipt none/r must be a file in a folder that exists.'],
  ['export --format csv ledger.csv', 'export takes no argument: --out names the file to write.'],
  [`${incremental} no.json`, '--state no.json: line 1, column 1: must be JSON: expected a value, got "n"'],
  [`${incremental} list.json`, '--state list.json: line 1, column 1: must be a JSON object'],
  [`${incremental} other.json`, '--state other.json is no state of an export of this version'],
  [`${incremental} negative.json`, '--state negative.json is no state of an export of this version'],
  [
    `${incremental} filters.json`,
    '--state filters.json is about http://127.0.0.1:9/guild/ledger/transactions?from=shop, this call about http://127.0.0.1:9/guild/ledger/transactions: give each its own state',
  ],
  [`${incremental} file.json`, '--state file.json belongs to another (ndjson), not to out (ndjson)'],
  [`${incremental} format.json`, '--state format.json belongs to out (sqlite), not to out (ndjson)'],
  [
    'export --format singer --state message.json',
    '--state message.json has no `bookmarks`: it must be the `value` of a STATE message',
  ],
  ['export --format singer --catalog other.json', '--catalog must have the form of what --discover prints'],
  ['export --format singer --catalog metadata.json', '--catalog must have the form of what --discover prints'],
  ['export --check other.json', '--check RECEIPT needs the file to check: export --check RECEIPT FILE'],
  ['export --check other.json exists', /^--check other\.json is no receipt of this version/],
  ['export --check later.json exists', /^--check later\.json is no receipt of this version/],
  ['export --check receipt.json none', 'none does not exist'],
  ['export --check none exists', '--check none: there is no such file'],
  ['export --format singer --config config.json', '--config config.json: Unknown field `form`. Did you mean `from`?'],
  ['export --format singer --config amount.json', '--config amount.json: `minAmount` must be a number ≥ 0, got "many"'],
  ['export --format singer --receipt r --catalog c', '--receipt does not go with --catalog.'],
  [
    `watch --start-date ${date}`,
    'Unknown option `--start-date`. Known options: `--base-url`, `--api-key-env`, `--json`, `--platform-id`, `--from`, `--min-amount`, `--max-amount`, `--checkpoint`, `--format`, `--interval`.',
  ],
  ['export --format csv --retry-for=', /It must be a number of seconds from 0 to 2147483\./],
  ['watch --interval 0', /It must be a number of seconds from 0\.1 to 2147483\./],
  ['watch --checkpoint no.json', '--checkpoint no.json: line 1, column 1: must be JSON: expected a value, got "n"'],
  ['watch --checkpoint other.json', /^--checkpoint other\.json is not a checkpoint of a watch/],
  ['gateway --port 99999', /It must be an integer from 0 to 65535\./],
  [
    'gateway --host 0.0.0.0',
    '--host 0.0.0.0 can be reached from other machines: give each client a token with --token NAME=ENV.',
  ],
  [`gateway --token ${key}`, '`--token` must be NAME=ENV: who it is for, and the environment variable that holds it.'],
  [`gateway --token n8n=${key}`, '`--token` must be the name of an environment variable that holds the token of n8n.'],
  ['gateway --token n8n=NO_TOKEN', 'The environment variable NO_TOKEN is not set: it must hold the token of n8n.'],
]

it('every mistake gets its exit code and a sentence that names it, and no key is printed', async () => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text)
  mkdirSync(folder.file('folder'))
  const env = { EMPTY: '', GUILD_LEDGER_API_KEY: key, GUILD_LEDGER_BASE_URL: 'http://127.0.0.1:9' }

  const results = await Promise.all(
    mistakes.map(([typed]) => runInTurn(typed.split(' ').filter(Boolean), env, folder.path)),
  )

  const isAsSaid = (sentence: string | RegExp, err: string) => {
    const said = /^guild-ledger: (.*)\n$/.exec(err)?.[1] ?? ''
    return typeof sentence === 'string' ? said === sentence : sentence.test(said)
  }
  const wrong = mistakes.flatMap(([typed, sentence, code = 2], i) => {
    const result = results[i]
    return result?.code === code && isAsSaid(sentence, result.err) ? [] : [[typed, code, sentence, result]]
  })
  expect(wrong).toEqual([])
  expect(JSON.stringify(results)).not.toContain(key)
  expect(readFileSync(folder.file('exists'), 'utf8')).toBe('something')
})

it.each([
  ['export', 'service that is away (default: 60)'],
  ['watch', 'time between two polls (default: 5)'],
  ['gateway', 'port to listen on, 0 for a free one (default: 4100)'],
  ['gateway', 'time between two polls for the feeds (default: 5)'],
])('the help of %s says: %s', async (verb, text) => {
  expect((await runInTurn([verb, '--help'], {})).out.replaceAll(/\s+/g, ' ')).toContain(text)
})

it('with --json, an error is one line of JSON', async () => {
  const { url } = await startService()
  const rejected = await runInTurn(['verify', '--json'], {
    GUILD_LEDGER_API_KEY: 'unknown',
    GUILD_LEDGER_BASE_URL: url,
  })

  expect(rejected.code).toBe(3)
  expect(JSON.parse(rejected.err)).toMatchObject({ error: { code: 'invalid_api_key', exitCode: 3 } })
  expect(rejected.out).toBe('')
})

it.each([
  ['a full disk', 'run > /dev/full', 1, 'standard output: no space left on device (ENOSPC)'],
  ['a reader that left', 'set -o pipefail; run | true', 5, 'whoever read the output has left'],
  [
    'a folder that is none',
    'run --out /dev/null/a.csv',
    1,
    '/dev/null/a.csv cannot be written: not a directory (ENOTDIR)',
  ],
  [
    'a state where no file can be made',
    'run --format ndjson --out "$(mktemp -u)" --state /dev/null/s',
    1,
    'another run uses /dev/null/s, or /dev/null/s.identities cannot be written: unable to open database file (ERR_SQLITE_ERROR)',
  ],
])('%s gets a sentence', async (_, line, code, sentence) => {
  const { env } = await startService({ transactions: 500 })
  const run = `run() { "${process.execPath}" --conditions=@guild-ledger/source "${program}" export --format csv "$@"; }`

  const out = await runProgram('bash', ['-c', `${run}; { ${line} ; } 2>&1; echo "code $?"`], env)

  expect(out).toBe(`guild-ledger: ${sentence}\ncode ${code}\n`)
})
