import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin, createMockClock } from '@guild-ledger/mock-server/admin'
import {
  assumeVariable,
  formatAssumptions,
  setProcessWide,
  type ProcessWide,
} from '@guild-ledger/mock-server/assumptions'
import { startMockServer } from '@guild-ledger/mock-server/node'
import type { Values } from '../../types.ts'

/** A mock server for one run of a command, with its admin API. */
export const serveMock = async (settings: ProcessWide) => {
  const before = setProcessWide(settings)
  const clock = createMockClock()
  const mock = createMockLedger({ now: clock.now })
  const server = await startMockServer({ mock, routes: createAdmin(mock, { clock }) })
  return {
    /** Environment variables that tell the command where the mock is. */
    variables: { GUILD_LEDGER_BASE_URL: server.url, GUILD_LEDGER_API_KEY: mock.apiKey },
    async close() {
      await server.close()
      setProcessWide(before)
    },
  }
}

/** Runs a command once under some values, with its output on the terminal, and returns its exit code. */
export const replayCommand = async (
  [program = '', ...args]: readonly string[],
  values: Values,
  serve: boolean,
): Promise<number> => {
  const served = serve ? await serveMock({ assumptions: values }) : undefined
  try {
    const variables = { [assumeVariable]: formatAssumptions(values), ...served?.variables }
    const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: 'inherit' })
    const [exitCode] = (await once(child, 'close')) as [number | null]
    return exitCode ?? 1
  } finally {
    await served?.close()
  }
}
