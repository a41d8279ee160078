import { createSmallMock } from './three-transactions.ts'

/** The mock of all files that import it, where modules are not isolated. */
export const mock = createSmallMock()
