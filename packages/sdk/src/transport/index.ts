export { checkedKey, createApiKeys, type ApiKeyFunction } from './api-keys.ts'
export { sleep } from './deadline.ts'
export { checkedBy, isStandardSchema, madeBy, type Decoder } from './decode.ts'
export { createLog, logLevels, type LogFields, type Logger, type LogLevel } from './log.ts'
export { callChecks, maxRetries, sharedChecks } from './options.ts'
export type {
  CallOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  Middleware,
  RetryOptions,
  TransportSettings,
  Validation,
} from './options.ts'
export { responseOf, type ResponseInfo } from './trace.ts'
export { isTooLarge } from './to-error.ts'
export {
  createTransport,
  type Closed,
  type QueryParameters,
  type Target,
  type Transport,
  type UsePage,
} from './transport.ts'
