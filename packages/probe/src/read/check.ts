import { documentedErrors } from '@guild-ledger/sdk/contract'
import { groupsOf } from '../infer/aspects.ts'
import { ProbeError } from '../problem.ts'
import type { RawResponse } from './service.ts'

/**
 * Checks the response to the first request: whether this is the service, and whether it accepts the key. Returns what may
 * be the number of transactions.
 *
 * @throws {ProbeError} It is not, or does not.
 */
export const checkService = ({ status, body }: RawResponse): unknown[] => {
  const { message, data, pagination, summary } = (body ?? {}) as Record<string, unknown>
  const text = typeof message === 'string' ? ` ${message.slice(0, 200)}` : ''
  const failed = `GET /guild/ledger/transactions failed: ${status}${text}`
  if (status === 200) {
    if (Array.isArray(data) && groupsOf(body).length === data.length && typeof pagination === 'object')
      return [
        (summary as { totalTransactions?: unknown } | undefined)?.totalTransactions,
        (pagination as { total?: unknown }).total,
      ]
    throw new ProbeError(`${failed}: the response is not a page of transactions. Check the base URL.`)
  }
  if ([401, 402, 403].includes(status) && body !== undefined)
    throw new ProbeError(`${failed}. The service rejects the key: create a new one with the scope guild:read.`)
  if (status === 400 && message === documentedErrors.missingGuildId.message)
    throw new ProbeError(`${failed}. The key is bound to no guild: create one for a guild.`)
  if (status === 404 && message === documentedErrors.noGuildTransactions.message) return []
  throw new ProbeError(`${failed}. ${status >= 500 ? 'Try again later.' : 'Check the base URL.'}`)
}
