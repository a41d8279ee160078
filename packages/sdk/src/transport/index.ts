export { createLog, logLevels, type Logger, type LogLevel } from './log.ts'
export { checkedBy, madeBy, type Read, type StandardSchema } from './read.ts'
export type { CallOptions, Fetch, Middleware, RetryOptions, Settings, Validation } from './settings.ts'
export { createTransport, type Query, type ResponseInfo, type Transport } from './transport.ts'
