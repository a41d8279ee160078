/** Tries the faults through `mock.fetch` and `mock.handle` in the current runtime, and prints the outcome as JSON. */
import { createMockLedger } from '@guild-ledger/mock-server'
import { tryAll } from './try-all.ts'

const mock = createMockLedger()
const found = {
  'mock.fetch': await tryAll('mock.fetch'),
  'mock.handle': await tryAll('mock.handle', mock, {
    url: mock.origin,
    fetch: (input, init) => mock.handle(new Request(input, init)),
  }),
}
// oxlint-disable-next-line no-console
console.log(JSON.stringify(found))
// Timers of clients that gave up would keep the process running.
globalThis.process.exit(0)
