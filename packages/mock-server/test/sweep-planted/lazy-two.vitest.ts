import { lazyMock } from './lazy-mock.ts'
import { defineTests } from './three-transactions.ts'

defineTests('in file lazy-two', lazyMock)
