/** The requests that were sent, expectations about them, and what they say about the client. */
export { auditOf, type ClientAudit } from './audit.ts'
export {
  expectRequests,
  expectRequestsInOrder,
  matcherChecks,
  type ExpectedOf,
  type RequestCount,
} from './expect-requests.ts'
export { formatRequests, type RequestMatcher } from './format-requests.ts'
export { createRequestLog, defaultKeepRequests, type LoggedRequest, type RequestLog } from './request-log.ts'
export { waitForRequests, type WaitOptions } from './wait-for-requests.ts'
