import type { MockLedger } from '@guild-ledger/mock-server'
import { beforeAll, it } from 'vitest'
import { askMock, createMock, defineBets } from './bets.ts'

let mock: MockLedger
beforeAll(() => {
  mock = createMock()
})

defineBets(it, 'before-all', (own) => askMock(own ? createMock(own) : mock))
