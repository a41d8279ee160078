export { createApiKeys, type ApiKeyFunction } from './api-keys.ts'
export { checkedKey } from './checked-key.ts'
export { sleep } from './deadline.ts'
export { checkedBy, isStandardSchema, madeBy, type Decoder, type StandardSchema } from './decode.ts'
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
export { lengthOf, responseOf, type ResponseInfo } from './response-info.ts'
export { createTransport, type QueryParameters, type Transport, type UsePage } from './transport.ts'
