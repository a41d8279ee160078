/**
 * One program of the hostile suite: uses a client against the service of its first argument and prints a report. It ends
 * by itself, or the suite counts it as a hang.
 */
import process from 'node:process'
import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'
import type { Report, Use } from './hostile.ts'

const [baseUrl = '', use = 'list', validation = 'strict'] = process.argv.slice(2) as [string, Use, 'strict' | 'off']

/** After so many milliseconds the program stops what has no end. */
const limitMs = 4000
const unhandled: string[] = []
process.on('unhandledRejection', (reason) => unhandled.push(`rejection: ${String(reason)}`))
process.on('uncaughtException', (error) => unhandled.push(`exception: ${String(error)}`))

const signal = AbortSignal.timeout(limitMs)
const ledger = new GuildLedger({
  apiKey: 'glk_9Zb3vX1qL7mN5cR8tY2uW4eA6sD0fGhJ',
  baseUrl,
  validation,
  attemptTimeoutMs: 1500,
  retry: { maxRetries: 0, maxRateLimitRetries: 1, baseDelayMs: 0, maxDelayMs: 500 },
  throttle: use === 'iterate' || use === 'watch' ? false : {}, // pagination is tried on more pages than a second allows
  logLevel: 'off',
})
const { transactions } = ledger

const exhaust = async (values: AsyncIterable<unknown>) => {
  for await (const _ of values);
}
const uses: Record<Use, () => Promise<unknown>> = {
  list: () => transactions.list({}, { signal }),
  pages: () => exhaust(transactions.pages({ limit: 10 }, { signal, retryForMs: 0 })),
  iterate: () => exhaust(transactions.iterate({ limit: 10 }, { signal, retryForMs: 0 })),
  watch: () => exhaust(transactions.watch({}, { signal, intervalMs: 100, since: '2020-01-01T00:00:00Z' })),
}

const outcomeOf = async (): Promise<string> => {
  try {
    await uses[use]()
    return 'result'
  } catch (error) {
    if (GuildLedgerError.is(error)) return error.code
    return error === signal.reason ? 'aborted' : `a foreign error: ${String(error)}`
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const tickMs = 5
let blockedMs = 0
let last = { at: performance.now(), cpuMs: cpuMs() }
const tick = () => {
  const now = { at: performance.now(), cpuMs: cpuMs() }
  // Other processes may have had the processor: a program that computes nothing blocks nothing.
  blockedMs = Math.max(blockedMs, Math.min(now.at - last.at, now.cpuMs - last.cpuMs) - tickMs)
  last = now
}

const idle = process.memoryUsage.rss()
const ticking = setInterval(tick, tickMs)
const outcome = await outcomeOf()
await new Promise((resolve) => setTimeout(resolve, 20))
tick()
clearInterval(ticking)
await ledger.close()
const peakMiB = (process.resourceUsage().maxRSS * 1024 - idle) / 2 ** 20
const report: Report = { outcome, blockedMs, peakMiB, unhandled }
process.on('exit', () => process.stdout.write(JSON.stringify(report)))
