import { createMockLedger } from '@guild-ledger/mock-server'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll } from 'vitest'
import { mockOptions } from './bets.ts'

export const mock = createMockLedger(mockOptions)
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())
