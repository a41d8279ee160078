import type { Assumptions } from '../assumptions/values.ts'
import type { OperationResult, RoutedRequest } from '../http.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'

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

export type EntryDetails = Pick<LoggedRequest, 'keyId' | 'at'> & {
  readonly retryAfterMs?: number | undefined
  readonly assumptions?: Partial<Assumptions> | undefined
}

export const entryOf = (
  { method, path, endpoint = null, platformId, query }: RoutedRequest,
  result: OperationResult,
  { keyId, at, retryAfterMs, assumptions }: EntryDetails,
): LoggedRequest => {
  const message = messageOf(result)
  return {
    method,
    path,
    endpoint,
    ...(platformId !== undefined && { platformId }),
    query,
    keyId,
    at,
    status: seenStatus(result),
    ...(message !== undefined && { message }),
    ...(result.rejectedBy && { rejectedBy: result.rejectedBy }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(result.faults && { faults: result.faults }),
    ...(assumptions && { assumptions }),
  }
}
