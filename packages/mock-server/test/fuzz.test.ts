/**
 * @proves no request causes a 500, a stack trace or a time-out
 * @against random hostile requests
 */
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { cases } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { list, sendRequest } from './raw-http.ts'

const requests = cases(1500, 400)

it(
  'the mock server responds to hostile requests without a 500, a stack trace or a time-out',
  { timeout: 240_000 },
  async () => {
    const mock = createMockLedger({ rateLimit: 'off' })
    await using server = await startMockServer({ mock, cors: true })

    const { sent, statuses, findings } = await fuzz({
      port: server.port,
      apiKey: mock.apiKey,
      requests,
      seed: Number(process.env.FUZZ_SEED ?? 1),
    })

    expect(findings).toEqual([])
    expect(sent).toBeGreaterThanOrEqual(requests)
    for (const status of ['200', '400', '404', '405', '417', '431']) expect(statuses[status]).toBeGreaterThan(0)
    expect((await sendRequest(server, list, { 'x-api-key': mock.apiKey })).status).toBe(200)
  },
)
