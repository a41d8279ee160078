import { startMockServer } from '../../adapters/node/server.ts'
import { createAdmin, createMockClock } from '../../admin/index.ts'
import { setProcessWide, type ProcessWide } from '../../assumptions/index.ts'
import { createMockLedger } from '../../index.ts'
import type { Values } from '../types.ts'

/** A mock server for one run of a command. */
export interface ServedMock {
  /** Environment variables that tell the command where the mock is. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Starts a mock with some values, behind HTTP and with its admin API. */
export const serveMock = async (
  assumptions: Values,
  tracing?: Omit<ProcessWide, 'assumptions'>,
): Promise<ServedMock> => {
  const before = setProcessWide({ assumptions, ...tracing })
  const clock = createMockClock()
  const mock = createMockLedger({ now: clock.now })
  const server = await startMockServer({ mock, routes: createAdmin(mock, { clock }) })
  return {
    variables: { GUILD_LEDGER_BASE_URL: server.url, GUILD_LEDGER_API_KEY: mock.apiKey },
    async close() {
      setProcessWide(before)
      await server.close()
    },
  }
}
