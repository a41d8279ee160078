import { it } from 'vitest'
import { askMock, createMock, defineBets } from './bets.ts'
import { mock } from './shared-mock.ts'

defineBets(it, 'shared-two', (own) => askMock(own ? createMock(own) : mock))
