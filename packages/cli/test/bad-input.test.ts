import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runInTurn, runProgram, startService, temporaryFolder } from './support.ts'

const key = 'sk-live-3f9a7c21b8e64d05a1'
const csv = ['export', '--format', 'csv']
const date = '2026-01-31T00:00:00Z'
const state = (change: object) =>
  JSON.stringify({
    version: 1,
    format: 'ndjson',
    file: 'out',
    bytes: 0,
    checkpoint: { version: 1, watched: 'http://127.0.0.1:9/guild/ledger/transactions', from: null, seen: [] },
    ...change,
  })
const files: Record<string, string> = {
  exists: 'something',
  'no.json': 'no JSON',
  'other.json': '{"a":1}',
  'later.json': '{"receipt":2,"format":"csv","file":{}}',
  'filters.json': state({
    checkpoint: { version: 1, watched: 'http://127.0.0.1:9/guild/ledger/transactions?from=shop', from: null, seen: [] },
  }),
  'format.json': state({ format: 'sqlite' }),
  'file.json': state({ file: 'another' }),
  'begun.json': state({
    format: 'sqlite',
    file: 'none.db',
    checkpoint: { version: 1, watched: 'http://127.0.0.1:9/guild/ledger/transactions', from: date, seen: [] },
  }),
  'short.json': state({ file: 'exists', bytes: 99 }),
  'edited.json': state({ file: 'exists', bytes: 9 }),
  'config.json': '{"form":"shop"}',
  'amount.json': '{"minAmount":"many"}',
}
const stated = (name: string) => ['export', '--format', 'ndjson', '--out', 'out', '--state', name]

/** What is typed, the exit code, and the sentence. Nothing listens at the address. */
const mistakes: readonly (readonly [args: readonly string[], code: number, sentence: string | RegExp])[] = [
  [[], 2, 'The first argument must be one of verify, export, watch, gateway. See --help.'],
  [['exprot'], 2, "unknown command 'exprot' (Did you mean export?) See --help."],
  [[key], 2, 'The first argument must be one of verify, export, watch, gateway. See --help.'],
  [['verify', '--verbos'], 2, 'Unknown option `--verbos`. Did you mean `--verbose`?'],
  [['verify', `--api-key=${key}`], 2, /^No option takes the API key, because others see command lines/],
  [['verify', '--api-key', key], 2, /^No option takes the API key, because others see command lines/],
  [['verify', key], 2, /^too many arguments/],
  [
    ['verify', '--api-key-env', key],
    2,
    '`--api-key-env` must be the name of an environment variable that holds the API key.',
  ],
  [['verify', '--api-key-env', 'NO_KEY'], 2, 'The environment variable NO_KEY is not set: it must hold the API key.'],
  [['verify', '--base-url', 'ledger.example'], 2, /^`--base-url` must be an address such as https:\/\/ledger\.example/],
  [
    ['verify', '--base-url', 'http://ledger.example'],
    2,
    '`--base-url` must be https, or http on a loopback host, got http://ledger.example: the key would be sent unencrypted.',
  ],
  [['verify'], 1, /^GET \/guild\/ledger\/transactions failed: /],
  [['export'], 2, '--format is missing: it must be one of csv, ndjson, sqlite, singer.'],
  [
    ['export', '--format', 'cvs'],
    2,
    "option '--format <FORMAT>' argument 'cvs' is invalid. Allowed choices are csv, ndjson, sqlite, singer. See --help.",
  ],
  [[...csv, '--form', 'shop'], 2, 'Unknown option `--form`. Did you mean `--format`?'],
  [[...csv, '--source', 'shop'], 2, 'Unknown option `--source`. Did you mean `--from`?'],
  [[...csv, '--user', '8412'], 2, 'Unknown option `--user`. Did you mean `--platform-id`?'],
  [[...csv, '--minAmount', '1'], 2, 'Unknown option `--minAmount`. Did you mean `--min-amount`?'],
  [[...csv, '--min-amount', 'many'], 2, /`--min-amount` must be a number ≥ 0, got "many"/],
  [[...csv, '--min-amount', '-1'], 2, /`--min-amount` must be a number ≥ 0, got "-1"/],
  [[...csv, '--min-amount', '5', '--max-amount', '1'], 2, '`--min-amount` must be at most `--max-amount` (1), got 5'],
  [[...csv, '--platform-id', '..'], 2, /`--platform-id` must be a user identifier/],
  [[...csv, '--start-date', '2026-01-31'], 2, /`--start-date` must be .*an ISO 8601 date-time with its offset/],
  [[...csv, '--days', '1.5'], 2, /It must be an integer from 0 to 36500\./],
  [
    [...csv, '--days', '3', '--time-zone', 'Europe/Berln'],
    2,
    '`--time-zone` must be a time zone such as Europe/Berlin, got "Europe/Berln"',
  ],
  [[...csv, '--time-zone', 'UTC'], 2, '--time-zone needs --days.'],
  [[...csv, '--days', '3', '--start-date', date], 2, '--start-date does not go with --days.'],
  [[...csv, '--retry-for', 'long'], 2, /It must be a number of seconds from 0 to 2147483\./],
  [[...csv, '--state', 's'], 2, '--state does not go with --format csv, only with ndjson, sqlite, singer.'],
  [['export', '--format', 'ndjson', '--excel'], 2, '--excel does not go with --format ndjson, only with csv.'],
  [['export', '--format', 'sqlite'], 2, '--out is missing: --format sqlite writes to a file.'],
  [
    ['export', '--format', 'ndjson', '--state', 's'],
    2,
    '--out is missing: --format ndjson with --state writes to a file.',
  ],
  [[...stated('s'), '--start-date', date], 2, '--state does not go with --start-date.'],
  [[...stated('s'), '--days', '3'], 2, '--state does not go with --days.'],
  [
    ['export', '--format', 'singer', '--start-date', date],
    2,
    '--start-date does not go with --format singer, only with csv, ndjson, sqlite.',
  ],
  [
    ['export', '--format', 'ndjson', '--out', 'exists', '--state', 'short.json'],
    2,
    'exists was changed since the last run, which --state short.json continues: --full exports everything again',
  ],
  [
    ['export', '--format', 'ndjson', '--out', 'exists', '--state', 'edited.json'],
    2,
    'exists was changed since the last run, which --state edited.json continues: --full exports everything again',
  ],
  [
    ['export', '--format', 'sqlite', '--out', 'none.db', '--state', 'begun.json'],
    2,
    'none.db is missing, which --state begun.json continues: --full exports everything again',
  ],
  [['export', '--format', 'ndjson', '--full'], 2, '--full needs --state.'],
  [[...csv, '--out', 'exists'], 2, '--out exists exists: --force overwrites it.'],
  [
    ['export', '--format', 'sqlite', '--out', 'exists', '--state', 's'],
    2,
    '--out exists exists: --force overwrites it, --state continues what it began.',
  ],
  [[...csv, '--out', 'folder'], 2, '--out folder must be a file, but it is something else.'],
  [[...csv, '--out', 'a', '--receipt', 'a'], 2, '--out, --state and --receipt must be different files.'],
  [[...csv, 'ledger.csv'], 2, 'export takes no argument: --out names the file to write.'],
  [stated('no.json'), 2, '--state no.json: line 1, column 1: must be JSON: expected a value, got "n"'],
  [stated('other.json'), 2, '--state other.json is no state of an export of this version'],
  [
    stated('filters.json'),
    2,
    '--state filters.json is about http://127.0.0.1:9/guild/ledger/transactions?from=shop, this call about http://127.0.0.1:9/guild/ledger/transactions: give each its own state',
  ],
  [stated('file.json'), 2, '--state file.json belongs to another (ndjson), not to out (ndjson)'],
  [stated('format.json'), 2, '--state format.json belongs to out (sqlite), not to out (ndjson)'],
  [['export', '--check', 'other.json'], 2, '--check RECEIPT needs the file to check: export --check RECEIPT FILE'],
  [['export', '--check', 'other.json', 'exists'], 2, /^--check other\.json is no receipt of this version/],
  [['export', '--check', 'later.json', 'exists'], 2, /^--check later\.json is no receipt of this version/],
  [['export', '--check', 'none', 'exists'], 2, '--check none: there is no such file'],
  [
    ['export', '--format', 'singer', '--config', 'config.json'],
    2,
    '--config config.json: Unknown field `form`. Did you mean `from`?',
  ],
  [
    ['export', '--format', 'singer', '--config', 'amount.json'],
    2,
    '--config amount.json: `minAmount` must be a number ≥ 0, got "many"',
  ],
  [['export', '--format', 'singer', '--receipt', 'r', '--catalog', 'c'], 2, '--receipt does not go with --catalog.'],
  [
    ['watch', '--start-date', date],
    2,
    'Unknown option `--start-date`. Known options: `--base-url`, `--api-key-env`, `--json`, `--platform-id`, `--from`, `--min-amount`, `--max-amount`, `--checkpoint`, `--format`, `--interval`.',
  ],
  [['watch', '--interval', '0'], 2, /It must be a number of seconds from 0\.1 to 2147483\./],
  [
    ['watch', '--checkpoint', 'no.json'],
    2,
    '--checkpoint no.json: line 1, column 1: must be JSON: expected a value, got "n"',
  ],
  [['watch', '--checkpoint', 'other.json'], 2, /^--checkpoint other\.json is not a checkpoint of a watch/],
  [['gateway', '--port', '99999'], 2, /It must be an integer from 0 to 65535\./],
  [
    ['gateway', '--host', '0.0.0.0'],
    2,
    '--host 0.0.0.0 can be reached from other machines: give each client a token with --token NAME=ENV.',
  ],
  [
    ['gateway', '--token', key],
    2,
    '`--token` must be NAME=ENV: who it is for, and the environment variable that holds it.',
  ],
  [
    ['gateway', '--token', `n8n=${key}`],
    2,
    '`--token` must be the name of an environment variable that holds the token of n8n.',
  ],
  [
    ['gateway', '--token', 'n8n=NO_TOKEN'],
    2,
    'The environment variable NO_TOKEN is not set: it must hold the token of n8n.',
  ],
]

it('every mistake gets its exit code and a sentence that names it, and no key is printed', async () => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text)
  mkdirSync(folder.file('folder'))
  const env = { GUILD_LEDGER_API_KEY: key, GUILD_LEDGER_BASE_URL: 'http://127.0.0.1:9' }

  const results = await Promise.all(mistakes.map(([args]) => runInTurn(args, env, folder.path)))

  const isAsSaid = (sentence: string | RegExp, err: string) => {
    const said = /^guild-ledger: (.*)\n$/.exec(err)?.[1] ?? ''
    return typeof sentence === 'string' ? said === sentence : sentence.test(said)
  }
  const wrong = mistakes.flatMap(([args, code, sentence], i) => {
    const result = results[i]
    return result?.code === code && isAsSaid(sentence, result.err) ? [] : [[args.join(' '), code, sentence, result]]
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
  [
    'a full disk',
    (command: string) => `${command} > /dev/full`,
    1,
    'standard output: no space left on device (ENOSPC)',
  ],
  [
    'a reader that left',
    (command: string) => `set -o pipefail; ${command} | true`,
    5,
    'whoever read the output has left',
  ],
  [
    'a folder that is none',
    (command: string) => `${command} --out /dev/null/ledger.csv`,
    1,
    '/dev/null/ledger.csv cannot be written: not a directory (ENOTDIR)',
  ],
])('%s gets a sentence', async (_, wrap, code, sentence) => {
  const { env } = await startService({ transactions: 500 })
  const program = new URL('../src/main.ts', import.meta.url).pathname
  const command = `"${process.execPath}" --conditions=@guild-ledger/source "${program}" export --format csv`

  const out = await runProgram('bash', ['-c', `{ ${wrap(command)} ; } 2>&1; echo "code $?"`], env)

  expect(out).toBe(`guild-ledger: ${sentence}\ncode ${code}\n`)
})
