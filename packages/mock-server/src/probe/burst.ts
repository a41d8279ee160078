import { apiKeyHeader, limits } from '@guild-ledger/sdk/contract'
import type { Fetch } from '@guild-ledger/sdk'
import type { RawResponse } from './model/observe.ts'

/** Requests at once: two more than the service allows in a second. */
const atOnce = limits.requestsPerSecond + 2
/** Requests one after the other: with these a limit of requests at the same time is not reached. */
const inSeries = limits.requestsPerSecond * 2
const everyMs = 20
// Longer than a second: rejected requests may count too.
const pauseMs = 2100

/** Requests that it takes to exceed the rate limit. */
export const burstSize = atOnce + inSeries

const timeoutMs = 10_000
const path = '/guild/ledger/transactions?limit=1'

/** What happened above the rate limit. */
export interface Burst {
  /** The rejected requests. */
  readonly rejected: readonly RawResponse[]
  /** Whether requests were rejected as by a rate limit, twice, and not as by a service that is overloaded. */
  readonly isRegular: boolean
}

const isRejected = (response: RawResponse | undefined): boolean => response?.status === 429 || response?.status === 503

/** Whether about as many requests were accepted one after the other as at once, and few after that. */
const areRegular = (
  together: readonly (RawResponse | undefined)[],
  series: readonly (RawResponse | undefined)[],
): boolean => {
  const accepted = together.filter((response) => response?.status === 200).length
  const first = series.findIndex(isRejected)
  const later = series.slice(first)
  return (
    accepted > 0 &&
    together.filter(isRejected).length === together.length - accepted &&
    first >= accepted &&
    // A limit that refills all the time accepts a few more meanwhile.
    first <= accepted * 1.4 &&
    series.slice(0, first).every((response) => response?.status === 200) &&
    later.filter(isRejected).length > later.length / 2
  )
}

const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => void setTimeout(resolve, ms))
  signal?.throwIfAborted()
}

/** Exceeds the rate limit: with requests at once, and with others in a series. */
export const sendBurst = async (
  baseUrl: string | URL,
  apiKey: string,
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<Burst> => {
  const url = String(baseUrl).replace(/\/+$/, '') + path
  const send = async (): Promise<RawResponse | undefined> => {
    try {
      const init = { method: 'GET', headers: { [apiKeyHeader]: apiKey }, redirect: 'manual' } as const
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      await response.text()
      const { status, headers } = response
      return { status, headers: Object.fromEntries(headers), body: undefined }
    } catch {
      return undefined
    }
  }
  await sleep(pauseMs, signal)
  const together = await Promise.all(Array.from({ length: atOnce }, send))
  await sleep(pauseMs, signal)
  const sent: Promise<RawResponse | undefined>[] = []
  for (let i = 0; i < inSeries; i++) {
    sent.push(send())
    await sleep(everyMs, signal)
  }
  const series = await Promise.all(sent)
  const rejected = [...together, ...series].filter((response) => response !== undefined).filter(isRejected)
  return { rejected, isRegular: areRegular(together, series) }
}
