import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createProgress } from '@guild-ledger/validation/command-line'
import { checkedOptions } from '../options.ts'
import { probeWithData } from '../probe.ts'
import { ProbeError } from '../problem.ts'
import { exitCodeOf, exitCodes } from '../report/changes.ts'
import { filesFrom } from '../report/files.ts'
import { terminalReport } from '../report/terminal.ts'
import type { Probed, ProbeOptions, ProbeProgress, ProbeReport } from '../types.ts'
import { parseCommandLine, UsageError, type ProbeArguments } from './arguments.ts'

/** Escapes control codes of terminals, which a service may send. */
const printable = (text: string): string =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

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

/** Writes the files, in GitHub Actions also the summary of the step; says what is not written; returns whether all is. */
const write = (
  probed: Probed,
  { out = '', fixture, questions, options }: ProbeArguments,
  { GITHUB_STEP_SUMMARY: summary }: NodeJS.ProcessEnv,
): boolean => {
  const secrets = [options.apiKey, ...Object.values(options.keys ?? {})].filter((key) => typeof key === 'string')
  const paths: Readonly<Record<string, string | undefined>> = {
    letter: questions,
    'ledger.ndjson': fixture ? join(out, 'ledger.ndjson') : undefined,
  }
  let hasAll = true
  for (const { name, text, leaks } of filesFrom(probed, secrets)) {
    const path = name in paths ? paths[name] : join(out, name)
    if (path === undefined) continue
    try {
      if (leaks > 0) throw new Error(`it would contain ${leaks} identifiers or keys of the service`)
      writeWhole(path, text)
      if (summary && name === 'probe.md') appendFileSync(summary, text)
    } catch (error) {
      say(`${path} was not written: ${(error as Error).message}`)
      hasAll = false
    }
  }
  return hasAll
}

/** In GitHub Actions, what differs stands on the page of the run. */
const annotations = ({ changes, findings }: ProbeReport, environment: NodeJS.ProcessEnv): string =>
  environment['GITHUB_ACTIONS'] === undefined
    ? ''
    : [
        ...changes.map(({ key, expected }) => `::error title=probe::${key} is no longer ${String(expected)}\n`),
        ...findings.flatMap(({ key, verdict }) =>
          verdict === 'unexplained' ? [`::warning title=probe::no value of ${key} explains the service\n`] : [],
        ),
      ].join('')

const planned = (options: ProbeOptions): string => {
  const { maxRequests, requestsPerSecond } = checkedOptions(options)
  return [
    `At most ${maxRequests} requests, ${requestsPerSecond} per second, GET only. First the ledger, oldest transactions first:`,
    '  /guild/ledger/transactions?limit=1',
    '  /guild/ledger/transactions?sortBy=createdAt&sortOrder=asc&limit=100&page=1 …',
    'Then requests with values of the ledger, chosen by what the responses show, such as:',
    '  /guild/ledger/transactions?sortBy=name&sortOrder=asc&limit=7',
    '  /guild/ledger/transactions?limit=3&page=abc',
    '  /guild/ledger/{platformId}/transactions?from={part of a source}',
    '',
  ].join('\n')
}

/** Runs a step that Ctrl+C and SIGTERM end. */
const untilSignal = async <Result>(step: (signal: AbortSignal) => Promise<Result>): Promise<Result | number> => {
  const controller = new AbortController()
  let code = 0
  const end = (exitCode: number) => () => {
    code = exitCode
    controller.abort()
  }
  const [interrupted, terminated] = [end(130), end(143)]
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', terminated)
  try {
    return await step(controller.signal)
  } catch (error) {
    if (code === 0) throw error
    return code
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', terminated)
  }
}

const runProbe = async (args: ProbeArguments, environment: NodeJS.ProcessEnv) => {
  const progress = createProgress(process.stderr)
  let sent = 0
  const onProgress = (step: ProbeProgress): void => {
    ;({ sent } = step)
    const { limit, transactions, decided } = step
    progress.show(
      `probe: request ${sent} of at most ${limit}, ${transactions} transactions read, ${decided} assumptions decided`,
    )
  }
  try {
    const probed = await untilSignal((signal) => probeWithData(checkedOptions({ ...args.options, onProgress, signal })))
    progress.end()
    if (typeof probed === 'number') {
      say(`the probe was interrupted after ${sent} ${sent === 1 ? 'request' : 'requests'}: no file was written`)
      return probed
    }
    const hasAll = write(probed, args, environment)
    const { report } = probed
    process.stdout.write(
      args.json ? `${JSON.stringify(report, null, 2)}\n` : printable(withFlags(terminalReport(report))),
    )
    if (!args.json) process.stdout.write(annotations(report, environment))
    return hasAll ? exitCodeOf(report, args.options.expected) : exitCodes.withheld
  } finally {
    progress.end()
  }
}

/** Runs the command line and returns its exit code. */
export const run = async (given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const args = parseCommandLine(given, environment)
    if (!args) return exitCodes.done
    checkedOptions(args.options)
    if (!args.dryRun) return await runProbe(args, environment)
    process.stdout.write(planned(args.options))
    return exitCodes.done
  } catch (error) {
    if (error instanceof ProbeError) {
      say(error.message)
      return exitCodes.unusable
    }
    const isUsage =
      error instanceof UsageError ||
      error instanceof TypeError ||
      (error as { code?: unknown }).code === 'configuration'
    if (!isUsage) throw error
    say((error as Error).message)
    return exitCodes.usage
  }
}
