import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import type { Fetch } from '@guild-ledger/sdk'
import type { RawResponse } from '../model/observe.ts'
import type { KeyName } from './hypotheses.ts'

const timeoutMs = 5000
const path = '/guild/ledger/transactions?limit=1'

/** How requests above the rate limit are sent: without the client of the SDK, which paces them and retries. */
export interface BurstSendOptions {
  readonly baseUrl: string | URL
  readonly keys: Readonly<Partial<Record<KeyName, string | undefined>>>
  readonly fetch: Fetch
  readonly signal: AbortSignal | undefined
  /** Called before each request. */
  readonly onRequest: () => void
}

/** Creates a function that sends a request with a key; it resolves with `undefined` if the request fails. */
export const createBurstSend = ({ baseUrl, keys, fetch, signal, onRequest }: BurstSendOptions) => {
  const url = String(baseUrl).replace(/\/+$/, '') + path
  return async (name: KeyName): Promise<RawResponse | undefined> => {
    onRequest()
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        method: 'GET',
        headers: { [apiKeyHeader]: keys[name] ?? '' },
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      await response.text()
      const { status, headers } = response
      return { status, headers: Object.fromEntries(headers), body: undefined }
    } catch {
      return undefined
    }
  }
}
