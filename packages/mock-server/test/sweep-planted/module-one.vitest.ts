import { mock } from './module-mock.ts'
import { defineTests } from './three-transactions.ts'

defineTests('in file one', () => mock)
