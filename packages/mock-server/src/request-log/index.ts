/** The requests that were sent, expectations about them, and what they say about the client. */
export { auditOf, type ClientAudit } from './audit.ts'
export { expectRequests, formatRequests, type RequestMatcher } from './expect-requests.ts'
export { createRequestLog, defaultKeepRequests, type LoggedRequest, type RequestLog } from './request-log.ts'
