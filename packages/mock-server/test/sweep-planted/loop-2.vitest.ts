import { createSmallMock, defineTests } from './three-transactions.ts'

defineTests('after the loop', createSmallMock)
