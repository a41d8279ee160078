import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  assumeVariable,
  formatAssumptions,
  setProcessWide,
  type ProcessWide,
} from '@guild-ledger/mock-server/assumptions'
import { startFromArguments } from '@guild-ledger/mock-server/cli'
import { toSweepError, type Values } from '../../types.ts'

/** What `guild-ledger-mock` serves with some options, for one run of a command. */
export const serveMock = async (options: readonly string[], settings: ProcessWide) => {
  const before = setProcessWide(settings)
  const { server, mock } = await startFromArguments(options).catch((error: Error) => {
    setProcessWide(before)
    throw toSweepError(`guild-ledger-mock: ${error.message}`, error)
  })
  return {
    /** Environment variables that tell the command where the mock is. */
    variables: { GUILD_LEDGER_BASE_URL: server.url, GUILD_LEDGER_API_KEY: mock.apiKey },
    async close() {
      await server.close()
      setProcessWide(before)
    },
  }
}

/**
 * Runs a command once under some values, with its output on the terminal, and returns its exit code. With `serve`, the
 * options of a mock server.
 */
export const replayCommand = async (
  [program = '', ...args]: readonly string[],
  values: Values,
  serve: readonly string[] | undefined,
): Promise<number> => {
  const served = serve ? await serveMock(serve, { assumptions: values }) : undefined
  try {
    const variables = { [assumeVariable]: formatAssumptions(values), ...served?.variables }
    const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: 'inherit' })
    const [exitCode] = (await once(child, 'close')) as [number | null]
    return exitCode ?? 1
  } finally {
    await served?.close()
  }
}
