import type { Endpoint } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'
import type { OperationResult, PathRequest } from '../http.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'

/** What a log entry is made of. */
export interface EntryParts {
  readonly request: PathRequest
  /** `null` for a path that is no operation. */
  readonly endpoint: Endpoint | null
  readonly platformId?: string | undefined
  readonly keyId: string | null
  readonly at: number
  readonly result: OperationResult
  readonly retryAfterMs?: number | undefined
  readonly assumptions?: Partial<Assumptions> | undefined
}

/** The `message` in the body of anything but a 200, whoever wrote that body. */
const messageOf = ({ status, body }: OperationResult): string | undefined => {
  if (status === 200) return undefined
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

const breaking: ReadonlySet<string> = new Set(['hang', 'reset', 'truncate'])

/** The status as the client sees it: none where the connection ends before the response does. */
const seenStatus = ({ status, connectionFault, rejectedBy }: OperationResult): number | null =>
  rejectedBy === 'internal error' || (connectionFault && breaking.has(connectionFault.kind)) ? null : status

/** The entry of the log about a request and its result. */
export const entryOf = (parts: EntryParts): LoggedRequest => {
  const { request, endpoint, platformId, keyId, at, result, retryAfterMs, assumptions } = parts
  const { method, path, query } = request
  const status = seenStatus(result)
  const message = messageOf(result)
  return {
    method,
    path,
    endpoint,
    ...(platformId !== undefined && { platformId }),
    query,
    keyId,
    at,
    status,
    ...(message !== undefined && { message }),
    ...(result.rejectedBy && { rejectedBy: result.rejectedBy }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(result.faults && { faults: result.faults }),
    ...(assumptions && { assumptions }),
  }
}
