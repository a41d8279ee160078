import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
import { createProbeProgress } from './probe-progress.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

const exitCodes = { done: 0, changed: 1, unusable: 3, outside: 4, withheld: 5, unchecked: 6 }

/** How the command line calls the options of a probe. */
const flagOf: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  maxRequests: '--max-requests',
  maxTransactions: '--max-transactions',
  requestsPerSecond: '--rps',
}

const readExpected = (file: string | undefined): Partial<Assumptions> | undefined => {
  if (file === undefined) return undefined
  try {
    return checkedAssumptions(JSON.parse(readFileSync(file, 'utf8')) as object)
  } catch (error) {
    throw new UsageError(`--expect ${file}: ${(error as Error).message}`, { cause: error })
  }
}

const optionsOf = (args: ProbeArguments, environment: NodeJS.ProcessEnv): ProbeOptions => {
  const key = (flag: 'api-key-env' | 'expired-key-env' | 'unscoped-key-env' | 'lapsed-key-env') =>
    keyIn(`--${flag}`, args[flag], environment)
  const options: ProbeOptions = {
    apiKey: key('api-key-env') ?? '',
    baseUrl: args['base-url'] ?? '',
    maxRequests: numberIn('--max-requests', args['max-requests']),
    maxTransactions: numberIn('--max-transactions', args['max-transactions']),
    requestsPerSecond: numberIn('--rps', args.rps),
    burst: args.burst ?? false,
    keys: { expired: key('expired-key-env'), unscoped: key('unscoped-key-env'), lapsed: key('lapsed-key-env') },
    expected: readExpected(args.expect),
  }
  try {
    return checkedProbeOptions(options)
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(
      message.replace(/`(\w+)`/, (_, name: string) => `\`${flagOf[name] ?? name}\``),
      { cause: error },
    )
  }
}

const exitCodeOf = ({ report }: Probed): number => {
  if (report.changes.length > 0) return exitCodes.changed
  const isOutside = report.unexplained.length > 0 || report.findings.some(({ verdict }) => verdict === 'outside')
  if (isOutside) return exitCodes.outside
  return report.expectation?.unchecked.length ? exitCodes.unchecked : exitCodes.done
}

/** Writes the files, and says which it must not write. */
const write = (folder: string, { files, withheld }: ProbeFiles): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  for (const [name, count] of withheld) {
    process.stderr.write(
      `guild-ledger-mock: ${name} was not written: it would contain ${count} identifiers or keys of the service\n`,
    )
  }
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
  const progress = createProbeProgress(process.stderr)
  try {
    const probed = await probeWithData({ ...options, onProgress: (step) => progress.show(step) })
    progress.end()
    const { keys = {}, apiKey } = options
    const secrets = [apiKey, ...Object.values(keys)].filter((key) => typeof key === 'string')
    const written = filesFrom(probed, { fixture: args.fixture ?? false, secrets })
    if (args.out !== undefined) write(args.out, written)
    process.stdout.write(args.json ? `${JSON.stringify(probed.report, null, 2)}\n` : probeTerminalReport(probed.report))
    return written.withheld.size > 0 ? exitCodes.withheld : exitCodeOf(probed)
  } catch (error) {
    progress.end()
    if (error instanceof ProbeError) {
      process.stderr.write(`guild-ledger-mock: ${printable(error.message)}\n`)
      return exitCodes.unusable
    }
    if ((error as { code?: unknown }).code === 'configuration')
      throw new UsageError((error as Error).message, { cause: error })
    throw error
  }
}
