import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createProgress, printable } from '@guild-ledger/validation/command-line'
import { probeWithData } from '../probe.ts'
import { ProbeError } from '../problem.ts'
import { exitCodeOf, exitCodes } from '../report/changes.ts'
import { pseudonymise } from '../report/fixture.ts'
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

/** Writes the files that leak nothing; says what is not written; returns whether all is. */
const write = ({ report, entries }: Probed, { out = '', fixture, questions, options }: ProbeArguments): boolean => {
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => typeof key === 'string')
  const ledger = fixture ? pseudonymise(entries) : []
  const files: { path: string; text: string; isLedger?: boolean }[] = [
    { path: join(out, 'assumptions.json'), text: `${JSON.stringify(report.values, null, 2)}\n` },
    { path: join(out, 'probe.json'), text: `${JSON.stringify(report, null, 2)}\n` },
    { path: join(out, 'probe.md'), text: markdownReport(report) },
  ]
  const ndjson = ledger.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  if (fixture) files.push({ path: join(out, 'ledger.ndjson'), text: ndjson, isLedger: true })
  if (questions !== undefined) files.push({ path: questions, text: letterAbout(report) })
  let hasAll = true
  for (const { path, text, isLedger } of files) {
    const found = isLedger ? leaksInLedger(ledger, entries) : leaksInReport(text, entries)
    const leaks = found.length + secretsIn(text, secrets).length
    try {
      if (leaks > 0) throw new Error(`it would contain ${leaks} identifiers or keys of the service`)
      writeWhole(path, text)
    } catch (error) {
      say(`${path} was not written: ${(error as Error).message}`)
      hasAll = false
    }
  }
  return hasAll
}

const planned = ({ maxRequests, requestsPerSecond }: CheckedOptions): string =>
  [
    `At most ${maxRequests} requests, ${requestsPerSecond} per second, GET only. First the ledger, oldest transactions first:`,
    '  /guild/ledger/transactions?limit=1',
    '  /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=100&page=1 …',
    'Then requests with values of the ledger, chosen by what the responses show, such as:',
    '  /guild/ledger/{platformId}/transactions?from={part of a source}\n',
  ].join('\n')

/** Runs a step that Ctrl+C and SIGTERM end; returns the exit code if one of them did. */
const untilSignal = async <Result>(step: (signal: AbortSignal) => Promise<Result>): Promise<Result | number> => {
  const controller = new AbortController()
  const interrupted = () => controller.abort(130)
  const terminated = () => controller.abort(143)
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', terminated)
  try {
    return await step(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) return Number(controller.signal.reason)
    throw error
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', terminated)
  }
}

const runProbe = async (args: ProbeArguments) => {
  const progress = createProgress(process.stderr)
  let sent = 0
  const onProgress = ({ limit, transactions, decided, ...step }: ProbeProgress): void => {
    ;({ sent } = step)
    progress.show(
      `probe: request ${sent} of at most ${limit}, ${transactions} transactions read, ${decided} assumptions decided`,
    )
  }
  const probed = await untilSignal((signal) => probeWithData({ ...args.options, onProgress, signal })).finally(() =>
    progress.end(),
  )
  if (typeof probed === 'number') {
    say(`the probe was interrupted after ${sent} ${sent === 1 ? 'request' : 'requests'}: no file was written`)
    return probed
  }
  const hasAll = write(probed, args)
  const { report } = probed
  process.stdout.write(
    args.json ? `${JSON.stringify(report, null, 2)}\n` : printable(withFlags(terminalReport(report))),
  )
  return hasAll ? exitCodeOf(report, args.options.expected) : exitCodes.withheld
}

export const run = async (given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  let args: ProbeArguments | undefined
  try {
    args = parseCommandLine(given, environment)
  } catch (error) {
    say((error as Error).message)
    return exitCodes.usage
  }
  if (args?.dryRun) process.stdout.write(planned(args.options))
  if (!args || args.dryRun) return exitCodes.done
  try {
    return await runProbe(args)
  } catch (error) {
    const isUsage = (error as { code?: unknown }).code === 'configuration'
    if (!isUsage && !(error instanceof ProbeError)) throw error
    say((error as Error).message)
    return isUsage ? exitCodes.usage : exitCodes.unusable
  }
}
