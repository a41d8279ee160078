import { createHandlers, type Handlers } from '../adapters/msw.ts'
import type { Libraries } from '../libraries.ts'
import { createLedger } from './create-ledger.ts'
import type { Ledger } from './ledger.ts'
import type { MockLedgerOptions } from './options.ts'

/** A mock of the Guild Ledger Transactions Service. */
export interface MockLedger extends Ledger {
  /**
   * For MSW: `setupServer(...mock.handlers)` in Node, `setupWorker(...mock.handlers)` in a browser. MSW is loaded when
   * this is first read.
   *
   * `setupServer` does nothing in Bun and Deno: requests go out to the network. It also keeps about 45 KB for each
   * request. `mock.fetch` has neither problem.
   */
  readonly handlers: Handlers
}

/**
 * Creates a mock ledger with the libraries of a runtime.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 */
export const createMockLedgerWith = (libraries: Libraries, options: MockLedgerOptions = {}): MockLedger => {
  const ledger = createLedger(options, libraries.faker)
  let handlers: Handlers | undefined
  // Not a spread: that would replace getters such as `requests` by their current values.
  return Object.defineProperty(ledger, 'handlers', {
    enumerable: true,
    get: () => (handlers ??= createHandlers(ledger, ledger.origin, libraries.http(), libraries.handlersFor)),
  }) as MockLedger
}
