import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createProgress, printable } from '@guild-ledger/validation/command-line'
import { probeWithData } from '../probe.ts'
import { ProbeError } from '../problem.ts'
import { exitCodeOf, exitCodes } from '../report/changes.ts'
import { pseudonymise } from '../report/fixture.ts'
import { reportToGitHub } from '../report/github.ts'
import { leaksInLedger, leaksInReport, secretsIn } from '../report/leaks.ts'
import { letterAbout, markdownReport } from '../report/markdown.ts'
import { terminalReport } from '../report/terminal.ts'
import type { CheckedOptions, Probed, ProbeProgress } from '../types.ts'
import { parseCommandLine, type ProbeArguments } from './arguments.ts'

/** A sentence about an option, with the name that the command line has for it. */
const withFlags = (text: string): string =>
  text
    .replace(/ On a private network, set allowInsecureHttp\.$/, '')
    .replaceAll(/`?\bbaseUrl\b`?/g, '`--base-url`')
    .replaceAll(/`?\brequestsPerSecond\b`?/g, '`--rps`')
    .replaceAll(/`?\bmax(Requests|Transactions)\b`?/g, (_, what: string) => `\`--max-${what.toLowerCase()}\``)

const say = (sentence: string): void =>
  void process.stderr.write(`guild-ledger-probe: ${printable(withFlags(sentence))}\n`)

/** Writes a file whole or not at all. */
const writeWhole = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.part`
  try {
    writeFileSync(part, text)
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes the files that leak nothing; says what is not written; returns whether all is. */
const write = ({ report, entries }: Probed, { out = '', fixture, questions, options }: ProbeArguments): boolean => {
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => typeof key === 'string')
  let hasAll = true
  const put = (path: string, text: string, found = leaksInReport(text, entries)): void => {
    const leaks = found.length + secretsIn(text, secrets).length
    try {
      if (leaks > 0) throw new Error(`it would contain ${leaks} identifiers or keys of the service`)
      writeWhole(path, text)
    } catch (error) {
      say(`${path} was not written: ${(error as Error).message}`)
      hasAll = false
    }
  }
  put(join(out, 'assumptions.json'), json(report.values))
  put(join(out, 'probe.json'), json(report))
  put(join(out, 'probe.md'), markdownReport(report))
  if (fixture) {
    const ledger = pseudonymise(entries)
    const lines = ledger.map((entry) => `${JSON.stringify(entry)}\n`)
    put(join(out, 'ledger.ndjson'), lines.join(''), leaksInLedger(ledger, entries))
  }
  if (questions !== undefined) put(questions, letterAbout(report))
  return hasAll
}

const planned = ({ maxRequests, requestsPerSecond }: CheckedOptions): string => `\
At most ${maxRequests} requests, ${requestsPerSecond} per second, GET only. First the ledger, oldest transactions first:
  /guild/ledger/transactions?limit=1
  /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=100&page=1 …
Then requests with values of the ledger, chosen by what the responses show, such as:
  /guild/ledger/{platformId}/transactions?from={part of a source}
`

/** Probes, and rejects with the exit code in the error when Ctrl+C or SIGTERM interrupts it. */
const probeUntilSignal = async (options: CheckedOptions): Promise<Probed> => {
  const progress = createProgress(process.stderr)
  const controller = new AbortController()
  let sent = 0
  const abort = (exitCode: number): void => {
    const message = `the probe was interrupted after ${sent} ${sent === 1 ? 'request' : 'requests'}: no file was written`
    controller.abort(Object.assign(new Error(message), { exitCode }))
  }
  const interrupt = () => abort(130)
  const terminate = () => abort(143)
  const onProgress = ({ limit, transactions, decided, ...step }: ProbeProgress): void => {
    ;({ sent } = step)
    progress.show(
      `probe: request ${sent} of at most ${limit}, ${transactions} transactions read, ${decided} assumptions decided`,
    )
  }
  process.once('SIGINT', interrupt).once('SIGTERM', terminate)
  try {
    return await probeWithData({ ...options, onProgress, signal: controller.signal })
  } finally {
    progress.end()
    process.off('SIGINT', interrupt).off('SIGTERM', terminate)
  }
}

export const run = async (given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  let args: ProbeArguments | undefined
  try {
    args = await parseCommandLine(given, environment)
  } catch (error) {
    say((error as Error).message)
    return exitCodes.usage
  }
  if (args?.dryRun) process.stdout.write(planned(args.options))
  if (!args || args.dryRun) return exitCodes.done
  try {
    const probed = await probeUntilSignal(args.options)
    const hasAll = write(probed, args)
    const { report } = probed
    process.stdout.write(
      args.json ? json(report) : printable(withFlags(terminalReport(report, process.stdout.columns || undefined))),
    )
    reportToGitHub(report, args.options.expected, environment, (text) => process.stderr.write(printable(text)))
    return hasAll ? exitCodeOf(report, args.options.expected) : exitCodes.withheld
  } catch (error) {
    const { code, message, exitCode } = error as Error & { code?: unknown; exitCode?: number }
    const isUsage = code === 'configuration'
    if (exitCode === undefined && !isUsage && !(error instanceof ProbeError)) throw error
    say(message)
    return exitCode ?? (isUsage ? exitCodes.usage : exitCodes.unusable)
  }
}
