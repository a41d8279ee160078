import { apiKeyHeader, limits } from '@guild-ledger/sdk/contract'
import type { Fetch } from '@guild-ledger/sdk'
import type { RawResponse } from './model/observe.ts'

/** Requests at once: two more than the service allows in a second. */
export const burstSize = limits.requestsPerSecond + 2

const timeoutMs = 10_000
const path = '/guild/ledger/transactions?limit=1'

/** Exceeds the rate limit once and returns the responses that were rejected for it. */
export const sendBurst = async (baseUrl: string | URL, apiKey: string, fetch: Fetch): Promise<RawResponse[]> => {
  const url = String(baseUrl).replace(/\/+$/, '') + path
  const responses = await Promise.all(
    Array.from({ length: burstSize }, async (): Promise<RawResponse | undefined> => {
      try {
        const init = { method: 'GET', headers: { [apiKeyHeader]: apiKey }, redirect: 'manual' } as const
        const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
        await response.text()
        const { status, headers } = response
        return { status, headers: Object.fromEntries(headers), body: undefined }
      } catch {
        return undefined
      }
    }),
  )
  return responses.filter((response) => response !== undefined).filter(({ status }) => status === 429 || status === 503)
}
