export { checkedKey, createApiKeys, type ApiKeyFunction } from './api-keys.ts'
export { sleep } from './deadline.ts'
export { checkedBy, isStandardSchema, madeBy, type Decoder } from './decode.ts'
export {
  createCallRetryLog,
  createLog,
  logLevels,
  type Log,
  type LogEvent,
  type LogFields,
  type Logger,
  type LogLevel,
} from './log.ts'
export * from './options.ts'
export { responseOf, withResponse, type RequestTiming, type RequestTrace, type ResponseInfo } from './trace.ts'
export { isControlFlow } from './foreign-error.ts'
export { dateOf } from './retry-after.ts'
export { isTooLarge } from './to-error.ts'
export * from './transport.ts'
