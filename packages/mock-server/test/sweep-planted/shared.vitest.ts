import { createSmallMock, defineTests } from './three-transactions.ts'

const mock = createSmallMock()

defineTests('through the mock of the file', () => mock)
