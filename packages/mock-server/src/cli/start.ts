/**
 * The server of `guild-ledger-mock`, from code.
 *
 * @module @guild-ledger/mock-server/cli
 */
import { checkPort } from '../adapters/node/listen.ts'
import { startMockServer, type MockServer } from '../adapters/node/server.ts'
import { createAdmin, createMockClock } from '../admin/index.ts'
import { loadMock, type LoadedMock } from './load.ts'
import { parseOptions, type CommandLine } from './options.ts'
import { createRequestPrinter } from './request-log.ts'
import { UsageError } from './flags.ts'

export interface StartedMock extends LoadedMock {
  /** Listens until its `close()` is called. */
  readonly server: MockServer
}

const toUsageError = (error: unknown): never => {
  throw new UsageError((error as Error).message, { cause: error })
}

/** @internal Starts what these options of the command line say. */
export const startWith = async (options: CommandLine): Promise<StartedMock> => {
  const { port, host, adminToken: token, cors = false, log = false, json = false } = options
  // Before data are generated for it.
  await checkPort(port, host).catch(toUsageError)
  const clock = createMockClock()
  const loaded = await loadMock(options, clock.now)
  const { mock } = loaded
  const server = await startMockServer({
    mock,
    port,
    host,
    cors,
    routes: createAdmin(mock, { clock, ...(token && { token }) }),
    ...(log && { onResponse: createRequestPrinter(process.stderr, json) }),
  }).catch(toUsageError)
  return { ...loaded, server }
}

/**
 * Starts what `guild-ledger-mock` starts with these arguments and with its variables in the environment. The server listens
 * on a free port unless the arguments have another one.
 *
 * @throws {Error} An option is wrong, a file cannot be read, or the port is taken; the message is one sentence.
 */
export const startFromArguments = async (args: readonly string[], environment = process.env): Promise<StartedMock> => {
  const options = parseOptions(['--port', '0', ...args], environment, { print: () => {}, warn: () => {} })
  if (!options) throw new UsageError('--help and --version start no server')
  return startWith(options)
}
