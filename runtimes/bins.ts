/** Runs every flag of every program once, as packed: what a flag reads or prints may be missing in the package. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A program with the arguments of some runs, which together have every flag of its `--help`. */
interface Bin {
  readonly name: string
  /** The folder of its package. */
  readonly package: string
  /** Runs that end by themselves, what they print, and their exit code if it is not 0. `URL` is that of a mock server. */
  readonly printing: readonly (readonly [args: readonly string[], printed: RegExp, code?: number])[]
  /** Runs of a server, which prints a line of JSON when it is ready and ends by a signal. */
  readonly serving: readonly (readonly string[])[]
}

const line = JSON.stringify({
  platformId: '8412',
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount: 1,
  quantity: 1,
  name: 'Axe',
  source: 'shop',
  total: 1,
  createdAt: '2026-01-31T10:00:00.000Z',
})

/** Files that the arguments name. */
const files: Readonly<Record<string, string>> = {
  'data.ndjson': `${line}\n`,
  'setup.json': '{ "guilds": [{ "transactions": 2, "users": 1 }] }',
  'assumptions.json': '{ "pageUnit": "group" }',
  'sweep.lock': '{ "accepted": [] }',
  'program.mjs': `const headers = { 'x-api-key': process.env.GUILD_LEDGER_API_KEY }
const { status } = await fetch(process.env.GUILD_LEDGER_BASE_URL + '/guild/ledger/transactions?limit=1', { headers })
process.exitCode = status === 200 ? 0 : 1`,
}

const words = (text: string): string[] => text.split(' ')
const version = [['--version'], /^\d+\.\d+\.\d+\n$/] as const

/** Another program is another row. */
export const bins: readonly Bin[] = [
  {
    name: 'guild-ledger-mock',
    package: 'mock-server',
    printing: [[['--help'], /^Usage: guild-ledger-mock/], version],
    serving: [
      '--host 127.0.0.1 --seed 2 --users 3 --transactions 5 --rate-limit off --api-key k --assume pageUnit=group --explain',
      '--data data.ndjson --setup setup.json --assumptions assumptions.json --admin-token t --cors --log',
      '--exit-with-parent',
    ].map((args) => words(`${args} --port 0 --json`)),
  },
  {
    name: 'guild-ledger-probe',
    package: 'probe',
    printing: [
      [['--help'], /^Usage: guild-ledger-probe/],
      version,
      [
        words('--base-url URL --api-key-env KEY --out probe --max-requests 9 --rps 10 --fixture'),
        /assumptions decided/,
      ],
      [
        words(
          '--base-url URL --api-key-env KEY --out again --max-requests 9 --rps 10 --max-transactions 99 --json --questions letter.md --expect probe/probe.json --expired-key-env KEY --unscoped-key-env KEY --lapsed-key-env KEY',
        ),
        /"findings"/,
      ],
      [
        words(
          '--base-url URL --api-key-env KEY --out again --max-requests 9 --rps 10 --max-transactions 99 --expired-key-env KEY',
        ),
        // No value explains a valid key in the place of one that has expired.
        /expiredKeyStatus +unexplained/,
        4,
      ],
      [words('--base-url URL --api-key-env KEY --dry-run'), /GET only/],
    ],
    serving: [],
  },
  {
    name: 'guild-ledger',
    package: 'cli',
    printing: [
      ...['', 'verify ', 'export ', 'watch ', 'gateway '].map((verb) => [words(`${verb}--help`), /^Usage:/] as const),
      version,
      [words('verify --verbose --json --base-url URL --api-key-env KEY'), /"key":"accepted/],
      [
        words('export --format csv --excel --days 9 --time-zone UTC --out ledger.csv --base-url URL --api-key-env KEY'),
        /exported/,
      ],
      [
        words(
          'export --format csv --out ledger.csv --force --receipt receipt.json --retry-for 1 --platform-id 1 --from shop --min-amount 1 --max-amount 9 --start-date 2026-01-31T00:00:00Z --end-date 2026-02-01T00:00:00Z --base-url URL --api-key-env KEY',
        ),
        /exported/,
      ],
      [words('export --check receipt.json ledger.csv'), /is what receipt\.json says/],
      [
        words('export --format sqlite --out ledger.db --state state.json --full --base-url URL --api-key-env KEY'),
        /exported/,
      ],
      [words('export --format singer --config config.json --discover'), /"tap_stream_id"/],
      [words('export --format singer --catalog none.json --base-url URL --api-key-env KEY'), /none\.json/, 2],
      [words('watch --checkpoint none/c.json --interval 1 --base-url URL --api-key-env KEY'), /none/, 1],
      [words('gateway --host 0.0.0.0 --port 0 --state feeds --interval 1'), /--token/, 2],
      [words('gateway --token x'), /NAME=ENV/, 2],
    ],
    serving: [],
  },
  {
    name: 'guild-ledger-sweep',
    package: 'sweep',
    printing: [
      [['--help'], /^Usage: guild-ledger-sweep/],
      version,
      [['--vitest'], /Vitest/, 2],
      [
        words(
          '--serve --known pageUnit --include maxPage --max-seconds 2 --fail-if-unreached --accept sweep.lock --out swept --verbose -- node program.mjs',
        ),
        /reached a mock/,
      ],
      [
        [
          ...words(
            '--serve --json --fail-if-not-judged --junit none.xml --max-seconds 1 --accept sweep.lock --accept-new',
          ),
          'a reason',
          ...words('-- node program.mjs'),
        ],
        /none\.xml/,
        2,
      ],
      [['--mock', '--transactions 3 --users 1', ...words('--replay pageUnit=group -- node program.mjs')], /^/],
    ],
    serving: [],
  },
]

/** Runs a program to its end, and returns what it printed. */
const print = async (program: string, args: readonly string[], cwd: string, code: number, key: string) => {
  const ended = run(process.execPath, [program, ...args], { cwd, env: { ...process.env, KEY: key } })
  const {
    stdout,
    stderr,
    code: actual = 0,
  } = (await ended.catch((error: { stdout: string; stderr: string; code?: number }) => error)) as {
    stdout: string
    stderr: string
    code?: number
  }
  if (actual !== code) throw new Error(`${args.join(' ')}: exit code ${actual}\n${stdout}${stderr}`)
  return stdout + stderr
}

const serveOnce = async (program: string, args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const ready = once(child.stdout, 'data') as Promise<[Buffer]>
  const printed = await Promise.race([ready, exited])
  if (!Buffer.isBuffer(printed[0])) throw new Error(`${args.join(' ')}: ended with ${printed[0]} before it was ready`)
  const { url, apiKey } = JSON.parse(printed[0].toString()) as { url: string; apiKey: string }
  const { status } = await fetch(`${url}/guild/ledger/transactions`, { headers: { 'x-api-key': apiKey } })
  if (args.includes('--exit-with-parent')) child.stdin.end()
  else child.kill('SIGTERM')
  const [code] = await exited
  if (status !== 200 || code !== 0) throw new Error(`${args.join(' ')}: status ${status}, exit code ${code}`)
}

/** Runs the programs of packages that are installed in a folder; returns a line about each. */
export const runBins = async (folder: string): Promise<string[]> => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const bin = (name: string) => join(folder, 'node_modules/.bin', name)
  const mock = spawn(process.execPath, [bin('guild-ledger-mock'), '--port', '0', '--json'])
  try {
    const [ready] = (await once(mock.stdout, 'data')) as [Buffer]
    const { url, apiKey } = JSON.parse(ready.toString()) as { url: string; apiKey: string }
    const lines: string[] = []
    for (const { name, printing, serving } of bins) {
      let help = ''
      for (const [args, expected, code = 0] of printing) {
        const given = args.map((arg) => (arg === 'URL' ? url : arg))
        const printed = await print(bin(name), given, folder, code, apiKey)
        if (!expected.test(printed)) throw new Error(`${name} ${args.join(' ')} printed ${printed}`)
        if (args.includes('--help')) help += printed
      }
      for (const args of serving) await serveOnce(bin(name), args, folder)
      const known = new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag))
      const used = new Set([...printing.flatMap(([args]) => args), ...serving.flat()])
      const missing = [...known].filter((flag) => !used.has(flag))
      if (known.size === 0 || missing.length > 0)
        throw new Error(`${name}: no run has ${missing.join(', ') || 'a flag'}`)
      lines.push(`${name}: each of its ${known.size} flags works in the package`)
    }
    return lines
  } finally {
    mock.kill()
  }
}
