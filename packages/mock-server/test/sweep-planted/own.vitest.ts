import { createSmallMock, defineTests } from './three-transactions.ts'

defineTests('through its own mock', createSmallMock)
