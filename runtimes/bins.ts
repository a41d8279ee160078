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
  /** Runs that end by themselves, and what they print. */
  readonly printing: readonly (readonly [args: readonly string[], printed: RegExp])[]
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
}

/** Another program is another row. */
export const bins: readonly Bin[] = [
  {
    name: 'guild-ledger-mock',
    package: 'mock-server',
    printing: [
      [['--help'], /^Usage: guild-ledger-mock/],
      [['--version'], /^\d+\.\d+\.\d+\n$/],
    ],
    serving: [
      `--host 127.0.0.1 --seed 2 --users 3 --transactions 5 --rate-limit off --api-key k --assume pageUnit=group --explain`.split(
        ' ',
      ),
      `--data data.ndjson --setup setup.json --assumptions assumptions.json --admin-token t --cors --log`.split(' '),
      ['--exit-with-parent'],
    ].map((args) => [...args, '--port', '0', '--json']),
  },
]

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
  const lines: string[] = []
  for (const { name, printing, serving } of bins) {
    const program = join(folder, 'node_modules/.bin', name)
    let help = ''
    for (const [args, expected] of printing) {
      const { stdout } = await run(process.execPath, [program, ...args], { cwd: folder })
      if (!expected.test(stdout)) throw new Error(`${name} ${args.join(' ')} printed ${stdout}`)
      if (args.includes('--help')) help = stdout
    }
    for (const args of serving) await serveOnce(program, args, folder)
    const known = new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag))
    const used = new Set([...printing.flatMap(([args]) => args), ...serving.flat()])
    const missing = [...known].filter((flag) => !used.has(flag))
    if (known.size === 0 || missing.length > 0) throw new Error(`${name}: no run has ${missing.join(', ') || 'a flag'}`)
    lines.push(`${name}: each of its ${known.size} flags works in the package`)
  }
  return lines
}
