import { createMock } from './bets.ts'

/** Without isolation, the files of a worker share it. */
export const mock = createMock()
