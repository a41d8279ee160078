/** What was asked, in which words to complain about it, and what it says of the client. */
export { conductIn, type Conduct } from './conduct.ts'
export { expectRequests, type RequestPattern } from './expect-requests.ts'
export { createRequestLog, defaultKept, type LoggedRequest, type RequestLog } from './request-log.ts'
