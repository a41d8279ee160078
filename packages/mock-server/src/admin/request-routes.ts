import type { MockLedger } from '../ledger/ledger.ts'
import { matcherChecks } from '../request-log/expect-requests.ts'
import { requireArray } from './body.ts'
import { HttpError, type AdminRequest, type Route } from './route.ts'

type Observe = (
  request: AdminRequest,
) => Pick<MockLedger, 'expectRequests' | 'expectRequestsInOrder' | 'waitForRequests'>

const matcherFields = Object.keys(matcherChecks)

/** An expectation that is not met is a conflict; anything else stays what it is. */
const orConflict = (error: unknown): never => {
  if (error instanceof Error && error.constructor === Error) throw new HttpError(409, error.message)
  throw error
}

const attempt = (step: () => void): void => {
  try {
    step()
  } catch (error) {
    orConflict(error)
  }
}

export const expectRequests = (observe: Observe): Route => ({
  body: ['count', 'atLeast', 'atMost', ...matcherFields],
  run(request) {
    const { count, atLeast, atMost, ...matcher } = request.fields as Readonly<Record<string, unknown>>
    const range = { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) }
    const hasRange = Object.keys(range).length > 0
    if (count !== undefined && hasRange) {
      throw new HttpError(400, '`count` must not be given together with `atLeast` or `atMost`')
    }
    attempt(() => observe(request).expectRequests((hasRange ? range : count) as number, matcher))
  },
})

export const expectInOrder = (observe: Observe): Route => ({
  body: ['matchers'],
  run(request) {
    const matchers = requireArray('matchers', request.fields['matchers'])
    attempt(() => observe(request).expectRequestsInOrder(matchers as never))
  },
})

export const waitForRequests = (observe: Observe): Route => ({
  body: ['count', 'timeoutMs', ...matcherFields],
  async run(request) {
    const { count, timeoutMs, ...matcher } = request.fields
    const options = timeoutMs === undefined ? {} : { timeoutMs }
    return observe(request)
      .waitForRequests(count as never, matcher, options)
      .catch(orConflict)
  },
})
