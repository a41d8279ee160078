/**
 * Lets the client loose on hostile responses, each in a process of its own:
 *
 *     pnpm --dir runtimes hostile            every response on every version of Node
 *     pnpm --dir runtimes hostile --quick    every twelfth response, on Node 24; with `CASES`, every sixth
 *     pnpm --dir runtimes hostile trailers   those with "trailers" in their names
 */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from './bundle.ts'
import type { Hostile, Report } from './hostile/hostile.ts'
import { hostileResponses } from './hostile/responses.ts'
import { startHostileService } from './hostile/service.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const program = await bundle('hostile/program')

/**
 * The event loop must not stand still for longer than so many times what `JSON.parse` alone takes on this machine: see
 * `parse.ts`. The client takes one to two times as long, depending on garbage collections. Work that grows faster than
 * the response takes hundreds of times as long.
 */
const maxBlocked = 10
/** A program must not take more memory than when it is idle by more than this. */
const maxPeakMiB = 250
/**
 * Memory for objects, in MiB, as in a small container: with more, V8 collects garbage so late that the peak says how fast
 * the machine is. A program that needs more ends with an error.
 */
const heapMiB = 128
/** A program that has not ended by then hangs. */
const hangMs = 60_000

/** What a busy machine can make of any of them. */
const always = ['timeout', 'aborted']

/** Does all of the work, several parts of it at a time. */
const inParallel = async <T, R>(parts: readonly T[], work: (part: T) => Promise<R>): Promise<R[]> => {
  const waiting = [...parts]
  const results: R[] = []
  const next = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) results.push(await work(part))
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, next))
  return results
}

const runNode = async (node: string, args: readonly string[]): Promise<string> => {
  const bin = join(here, 'node_modules', node, 'bin/node')
  const options = { timeout: hangMs, killSignal: 'SIGKILL' } as const
  return (await run(bin, [`--max-old-space-size=${heapMiB}`, ...args], options)).stdout
}

/** The longest time for which a program may block on this machine. */
const measureMaxBlockedMs = async (node: string): Promise<number> => {
  const parseMs = await inParallel(Array(15).fill(join(here, 'hostile/parse.ts')), async (file: string) =>
    Number(await runNode(node, [file])),
  )
  return maxBlocked * (parseMs.toSorted((a, b) => a - b)[7] ?? 0)
}

const judge = async (
  node: string,
  { use = 'list', validation = 'strict', expected, ...hostile }: Hostile,
  maxBlockedMs: number,
): Promise<{ faults: string[]; report: Report | undefined }> => {
  const service = await startHostileService({ ...hostile, expected })
  try {
    const report = JSON.parse(await runNode(node, [program, service.url, use, validation])) as Report
    const { outcome, blockedMs, peakMiB, unhandled } = report
    const faults = [
      ...([...expected, ...always].includes(outcome)
        ? []
        : [`ended with ${outcome}, not with ${expected.join(' or ')}`]),
      ...(blockedMs <= maxBlockedMs ? [] : [`blocked the event loop for ${Math.round(blockedMs)} ms`]),
      ...(peakMiB <= maxPeakMiB ? [] : [`took ${Math.round(peakMiB)} MiB`]),
      ...unhandled.map((reason) => `left an unhandled ${reason}`),
    ]
    return { faults, report }
  } catch (error) {
    const { killed, code, stderr } = error as { killed?: boolean; code?: unknown; stderr?: string }
    return { faults: [killed ? 'hung' : `died with ${String(code)}: ${stderr ?? String(error)}`], report: undefined }
  } finally {
    service.close()
  }
}

const [filter = ''] = process.argv.slice(2)
const isQuick = filter === '--quick'
const every = process.env.CASES ? 6 : 12
const chosen = Object.entries(hostileResponses).filter(([name], i) =>
  isQuick ? i % every === 0 : name.includes(filter),
)

for (const node of isQuick ? ['node-24'] : ['node-22', 'node-24', 'node-26']) {
  const maxBlockedMs = await measureMaxBlockedMs(node)
  const reports: [string, Report][] = []
  let failed = 0
  await inParallel(chosen, async ([name, hostile]) => {
    const { faults, report } = await judge(node, hostile, maxBlockedMs)
    if (report) reports.push([name, report])
    if (faults.length > 0) failed++
    for (const fault of faults) process.stdout.write(`${node}: FAILED: ${name}: ${fault}\n`)
  })
  const most = (value: 'blockedMs' | 'peakMiB', unit: string) => {
    const [name, report] = reports.reduce((a, b) => (b[1][value] > a[1][value] ? b : a))
    return `${Math.round(report[value])} ${unit} (${name})`
  }
  if (failed > 0) process.exitCode = 1
  const summary = `blocked for at most ${most('blockedMs', 'ms')} of ${Math.round(maxBlockedMs)}, at most ${most('peakMiB', 'MiB')} more than idle`
  process.stdout.write(
    `${node}: ${chosen.length - failed} of ${chosen.length} hostile responses did no harm; ${summary}\n`,
  )
}
