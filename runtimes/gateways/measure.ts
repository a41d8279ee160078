/** What a client gets through a gateway, and what it sends for that. */
import type { Guild } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'

/** A request of a client: when it was sent, and the status of its response; 0 without a response. */
interface Sent {
  readonly atMs: number
  status: number
}

export interface Outcome {
  readonly sent: number
  /** Requests that did not get through to the service. */
  readonly refused: number
  /** What calls failed with, for good. */
  readonly errors: readonly unknown[]
  readonly seconds: number
  /** The statuses of each second. */
  readonly trace: readonly string[]
}

/** How often each status came, in each second. */
const traceOf = (requests: readonly Sent[]): string[] => {
  const seconds: Record<number, Record<number, number>> = {}
  for (const { atMs, status } of requests) {
    const counts = (seconds[Math.floor(atMs / 1000)] ??= {})
    counts[status] = (counts[status] ?? 0) + 1
  }
  const line = (counts: object) => Object.entries(counts).map(([status, count]) => `${count} × ${status}`)
  return Object.entries(seconds).map(([second, counts]) => `${second} s: ${line(counts).join(', ')}`)
}

/** Runs `work` with a client of a guild, and records its requests. */
const measure = async (
  baseUrl: string,
  guild: Guild,
  work: (ledger: GuildLedger, sent: readonly Sent[]) => Promise<readonly unknown[]>,
): Promise<Outcome> => {
  const startedAt = performance.now()
  const requests: Sent[] = []
  const recording: typeof fetch = async (...request) => {
    const sent = { atMs: performance.now() - startedAt, status: 0 }
    requests.push(sent)
    const response = await fetch(...request)
    sent.status = response.status
    return response
  }
  const ledger = new GuildLedger({ apiKey: guild.apiKey, baseUrl, fetch: recording, logLevel: 'off' })
  const errors = await work(ledger, requests)
  const seconds = (performance.now() - startedAt) / 1000
  await ledger.close()
  return {
    sent: requests.length,
    refused: requests.length - guild.requests.length,
    errors,
    seconds,
    trace: traceOf(requests),
  }
}

/** Reads the whole ledger of a guild; `meanwhile` is called once, when a third of its pages have been requested. */
export const measureExport = (baseUrl: string, guild: Guild, meanwhile = async () => {}): Promise<Outcome> =>
  measure(baseUrl, guild, async (ledger, sent) => {
    const ids = new Set<string>()
    let disturbance: Promise<void> | undefined
    try {
      for await (const { platformId, transactionId } of ledger.transactions.iterate()) {
        ids.add(`${platformId} ${transactionId}`)
        if (sent.length >= guild.transactions.length / 300) disturbance ??= meanwhile()
      }
      await disturbance
      const missing = guild.transactions.length - ids.size
      return missing === 0 ? [] : [new Error(`${missing} transactions are missing`)]
    } catch (error) {
      return [error]
    }
  })

/** Calls `list` many times at once, or after a first call: before any response, a 403 is a mistake in `baseUrl`. */
export const measureCalls = (baseUrl: string, guild: Guild, calls: number, isVerified = false): Promise<Outcome> =>
  measure(baseUrl, guild, async (ledger) => {
    if (isVerified) await ledger.verify()
    const all = Array.from({ length: calls }, (_, i) => ledger.transactions.list({ limit: 1, page: i + 1 }))
    const results = await Promise.allSettled(all)
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  })
