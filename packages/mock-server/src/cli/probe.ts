import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkedAssumptions, type Assumptions } from '../assumptions/index.ts'
import {
  checkedProbeOptions,
  filesFrom,
  plannedRequests,
  ProbeError,
  probeTerminalReport,
  probeWithData,
  type Probed,
  type ProbeFiles,
  type ProbeOptions,
} from '../probe/internal.ts'
import { keyIn, numberIn, probeHelp, readProbeArguments, type ProbeArguments } from './probe-arguments.ts'
import { Interrupted, untilSignal } from './interrupt.ts'
import { checkFolder, writeFailure } from './out-folder.ts'
import { reportWithFlags, withFlags } from './probe-names.ts'
import { createProbeProgress } from './probe-progress.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

const exitCodes = { done: 0, changed: 1, unusable: 3, outside: 4, withheld: 5, unchecked: 6 }

const readExpected = (file: string | undefined): Partial<Assumptions> | undefined => {
  if (file === undefined) return undefined
  try {
    return checkedAssumptions(JSON.parse(readFileSync(file, 'utf8')) as object)
  } catch (error) {
    throw new UsageError(`--expect ${file}: ${(error as Error).message}`, { cause: error })
  }
}

const optionsOf = (args: ProbeArguments, environment: NodeJS.ProcessEnv): ProbeOptions => {
  const key = (flag: Extract<keyof ProbeArguments, `${string}key-env`>) => keyIn(`--${flag}`, args[flag], environment)
  const options: ProbeOptions = {
    apiKey: key('api-key-env') ?? '',
    baseUrl: args['base-url'] ?? '',
    maxRequests: numberIn('--max-requests', args['max-requests']),
    maxTransactions: numberIn('--max-transactions', args['max-transactions']),
    requestsPerSecond: numberIn('--rps', args.rps),
    burst: args.burst ?? false,
    keys: {
      expired: key('expired-key-env'),
      unscoped: key('unscoped-key-env'),
      lapsed: key('lapsed-key-env'),
      sameGuild: key('same-guild-key-env'),
      otherGuild: key('other-guild-key-env'),
    },
    expected: readExpected(args.expect),
  }
  try {
    return checkedProbeOptions(options)
  } catch (error) {
    throw new UsageError(withFlags((error as Error).message), { cause: error })
  }
}

const exitCodeOf = ({ report }: Probed): number => {
  if (report.changes.length > 0) return exitCodes.changed
  const isOutside = report.unexplained.length > 0 || report.findings.some(({ verdict }) => verdict === 'outside')
  if (isOutside) return exitCodes.outside
  return report.expectation?.unchecked.length ? exitCodes.unchecked : exitCodes.done
}

const say = (sentence: string): void => void process.stderr.write(`guild-ledger-mock: ${sentence}\n`)

/** Says which files of an earlier run remain beside the new ones. They are not deleted: somebody may need them. */
const reportEarlier = (folder: string, { files, withheld }: ProbeFiles): void => {
  for (const name of ['assumptions.json', 'probe.json', 'probe.md', 'ledger.ndjson']) {
    const path = join(folder, name)
    if (files.has(name) || !existsSync(path)) continue
    const remedy =
      name === 'ledger.ndjson' && !withheld.has(name) ? 'delete it, or renew it with --fixture' : 'delete it'
    say(`${printable(path)} is of an earlier run, and may not agree with the other files: ${remedy}`)
  }
}

/** Writes the files, says which it does not write, and returns whether it wrote all. */
const write = (folder: string, written: ProbeFiles): boolean => {
  const { files, withheld } = written
  for (const [name, count] of withheld) {
    say(`${name} was not written: it would contain ${count} identifiers or keys of the service`)
  }
  for (const [name, text] of files) {
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), text)
    } catch (error) {
      say(`${printable(join(folder, name))} was not written: ${printable(writeFailure(error))}`)
      return false
    }
  }
  reportEarlier(folder, written)
  return withheld.size === 0
}

/**
 * Runs `guild-ledger-mock probe` and returns its exit code.
 *
 * @throws {UsageError} The command line or a file cannot be used; nothing was sent.
 */
export const runProbe = async (given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  const args = readProbeArguments(given)
  if (args.help) {
    process.stdout.write(probeHelp)
    return exitCodes.done
  }
  const options = optionsOf(args, environment)
  if (args['dry-run']) {
    process.stdout.write(plannedRequests(options))
    return exitCodes.done
  }
  if (args.out !== undefined) checkFolder(args.out)
  const progress = createProbeProgress(process.stderr)
  let sent = 0
  const onProgress: ProbeOptions['onProgress'] = (step) => {
    ;({ sent } = step)
    progress.show(step)
  }
  try {
    const found = await untilSignal((signal) => probeWithData({ ...options, onProgress, signal }))
    const probed = { ...found, report: reportWithFlags(found.report) }
    progress.end()
    const { keys = {}, apiKey } = options
    const secrets = [apiKey, ...Object.values(keys)].filter((key) => typeof key === 'string')
    const written = filesFrom(probed, { fixture: args.fixture ?? false, secrets })
    const hasAll = args.out === undefined || write(args.out, written)
    process.stdout.write(args.json ? `${JSON.stringify(probed.report, null, 2)}\n` : probeTerminalReport(probed.report))
    return hasAll ? exitCodeOf(probed) : exitCodes.withheld
  } catch (error) {
    progress.end()
    if (error instanceof Interrupted) {
      say(`the probe was interrupted after ${sent} ${sent === 1 ? 'request' : 'requests'}: no file was written`)
      return error.exitCode
    }
    if (error instanceof ProbeError) {
      say(printable(withFlags(error.message)))
      return exitCodes.unusable
    }
    if ((error as { code?: unknown }).code === 'configuration')
      throw new UsageError(withFlags((error as Error).message), { cause: error })
    throw error
  }
}
