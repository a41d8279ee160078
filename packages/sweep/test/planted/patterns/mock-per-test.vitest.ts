import { it } from 'vitest'
import { askMock, createMock, defineBets } from './bets.ts'

defineBets(it, 'mock-per-test', (own) => askMock(createMock(own)))
