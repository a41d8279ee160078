import { subscribe } from 'node:diagnostics_channel'
import type { Throttle } from '@guild-ledger/sdk'

const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

const createHistogram = (name: string) => {
  const counts = bounds.map(() => 0)
  let sum = 0
  let count = 0
  return {
    observe: (seconds: number): void => {
      sum += seconds
      count++
      bounds.forEach((bound, i) => (counts[i] = (counts[i] ?? 0) + Number(seconds <= bound)))
    },
    lines: () => [
      ...bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${counts[i]}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
    ],
  }
}

/** Figures in the text format of Prometheus. */
export const createMetrics = (throttle: Throttle) => {
  const queueSeconds = createHistogram('guild_ledger_queue_seconds')
  const lateness = createHistogram('guild_ledger_feed_lateness_seconds')
  const requests = new Map<string, number>()
  const observe = (message: unknown) => queueSeconds.observe((message as { queuedMs: number }).queuedMs / 1000)
  subscribe('tracing:guild-ledger:request:asyncEnd', observe)
  const tables = {
    guild_ledger_requests_total: [
      'counter',
      'Requests that were sent to the service, by the status of the response.',
      () => [...requests].map(([status, count]) => `guild_ledger_requests_total{status="${status}"} ${count}`),
    ],
    guild_ledger_queue_length: [
      'gauge',
      'Requests that wait for the rate limit.',
      () => [`guild_ledger_queue_length ${throttle.stats.waiting}`],
    ],
    guild_ledger_queue_seconds: ['histogram', 'How long requests waited for the rate limit.', queueSeconds.lines],
    guild_ledger_rate_limited_total: [
      'counter',
      'Responses with status 429.',
      () => [`guild_ledger_rate_limited_total ${throttle.stats.rateLimited}`],
    ],
    guild_ledger_feed_lateness_seconds: [
      'histogram',
      'How long after its createdAt a transaction reached the feeds.',
      lateness.lines,
    ],
  } as const
  return {
    countRequest: (status: string): void => void requests.set(status, (requests.get(status) ?? 0) + 1),
    observeLateness: lateness.observe,
    text: (): string =>
      Object.entries(tables)
        .flatMap(([name, [type, help, lines]]) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()])
        .map((line) => `${line}\n`)
        .join(''),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
