import { it } from 'vitest'
import { askMock, createMock, defineBets } from './bets.ts'
import { mock } from './shared-mock.ts'

defineBets(it, 'shared-one', (own) => askMock(own ? createMock(own) : mock))
