import type { Libraries } from './carriers/libraries.ts'
import { createHandlers, type Handlers } from './carriers/msw.ts'
import { createLedger, type Ledger, type MockLedgerOptions } from './mock-ledger/index.ts'

/** The Guild Ledger Transactions Service on your desk. */
export interface MockLedger extends Ledger {
  /**
   * For MSW: `setupServer(...mock.handlers)` in Node, `setupWorker(...mock.handlers)` in a browser. Nothing of MSW is
   * loaded before this is read.
   *
   * `setupServer` does nothing in Bun and Deno: requests go out to the network. It also keeps about 45 KB for each
   * request. Where neither is wanted, use `mock.fetch`.
   */
  readonly handlers: Handlers
}

/** Makes `createMockLedger` from the libraries of a runtime. */
export const mockLedgerCreator =
  (libraries: Libraries) =>
  (options: MockLedgerOptions = {}): MockLedger => {
    const ledger = createLedger(options, libraries.faker)
    let handlers: Handlers | undefined
    // Not a spread: that would freeze what getters such as `requests` said at this moment.
    return Object.defineProperty(ledger, 'handlers', {
      enumerable: true,
      get: () => (handlers ??= createHandlers(ledger, ledger.origin, libraries.http(), libraries.handlersFor)),
    }) as MockLedger
  }
