import type { AssumptionKey, Assumptions } from './values.ts'

/**
 * The same assumptions, but each one that is read is added to `read`. A response does not depend on an assumption that was
 * not read: with any other value of it, the response is the same.
 *
 * @example
 * const read = new Set<AssumptionKey>()
 * const { body } = respond(ledger, request, recordReads(assumptions, read))
 */
export const recordReads = (assumptions: Assumptions, read: Set<AssumptionKey>): Assumptions =>
  new Proxy(assumptions, {
    get(target, key) {
      read.add(key as AssumptionKey)
      return target[key as AssumptionKey]
    },
  })
