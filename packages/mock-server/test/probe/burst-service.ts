import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { createRandom, createVirtualTime } from '@guild-ledger/test-kit'
import { examine, type Examined } from '../../src/probe/rate-limit/examine.ts'
import type { KeyName } from '../../src/probe/rate-limit/hypotheses.ts'
import { untilAborted } from '../../src/probe/rate-limit/send-round.ts'
import { rateLimitVerdicts } from '../../src/probe/rate-limit/verdicts.ts'
import type { Verdict } from '../../src/probe/verdicts.ts'

/** Whether a service accepts a request that it gets at a time, in ms. If it throws, the request fails. */
export type Admit = (key: KeyName, time: number) => boolean

/** What happens between the probe and the service. */
export interface Between {
  readonly seed?: number
  /** The shortest way of a request, in ms, and by how much each may take longer. */
  readonly pathMs?: number
  readonly jitterMs?: number
  /** By how much the first requests may take longer, which open connections. */
  readonly handshakeMs?: number
  /** Requests per second of another program with the same key, at random times. */
  readonly others?: number
  readonly keys?: readonly KeyName[]
  readonly maxRequests?: number
  readonly status?: number
  readonly headers?: Record<string, string>
}

export interface BurstOutcome {
  readonly examined: Examined
  readonly verdictOf: (key: string) => Verdict | undefined
  readonly sent: number
  readonly ms: number
}

/** Exceeds the rate limit of a service in virtual time. */
export const burstAt = async (admit: Admit, between: Between = {}): Promise<BurstOutcome> => {
  const { seed = 1, pathMs = 0, jitterMs = 0, handshakeMs = 0, others = 0, keys = [], maxRequests = 200 } = between
  const { status = 429, headers = {} } = between
  const random = createRandom(seed)
  // Many promises follow one another between two rounds.
  const time = createVirtualTime(undefined, async () => new Promise((resolve) => void setImmediate(resolve)))
  const sleep = async (ms: number): Promise<void> => new Promise((resolve) => void time.clock.setTimeout(resolve, ms))
  // The clock of the service is at another part of a second each time.
  const offset = Math.floor(random() * 100_000)
  const atService = (key: KeyName) => admit(key, Math.floor(time.now()) + offset)
  let next = others > 0 ? 0 : Infinity
  while (next < 60_000) {
    time.at(next, () => void atService('own'))
    next -= (Math.log(1 - random()) * 1000) / others
  }
  let sent = 0
  const send = async (key: KeyName) => {
    const isFirst = sent++ < 12
    await sleep(pathMs + random() * jitterMs + (isFirst ? random() * handshakeMs : 0))
    const accepted = (() => {
      try {
        return atService(key)
      } catch {
        return undefined
      }
    })()
    await sleep(pathMs + random() * jitterMs)
    if (accepted === undefined) return undefined
    return accepted ? { status: 200, headers: {}, body: undefined } : { status, headers, body: undefined }
  }
  const clock = {
    now: () => time.now(),
    sleep: async (ms: number, signal: AbortSignal | undefined) => untilAborted(sleep(ms), signal),
  }
  let ms = 0
  const work = examine({ send, clock, signal: undefined, keys, remaining: () => maxRequests - sent }).finally(
    () => (ms = time.now()),
  )
  await time.run()
  const examined = await work
  const verdicts = rateLimitVerdicts([{ status: 200, headers: {}, body: undefined }], [], examined, {
    usable: keys,
    problems: {},
  })
  return { examined, verdictOf: (name) => verdicts.find(({ key }) => key === name), sent, ms }
}

/** A mock with three keys: one, another of the same guild, and one of another guild. */
export const mockThatCounts = (assumptions: Partial<Assumptions>): Admit => {
  let now = 0
  const mock = createMockLedger({ transactions: 0, now: () => now, assumptions })
  const other = mock.createGuild({ transactions: 0, assumptions })
  const { value: sameGuild } = mock.guild.createKey({
    name: 'another',
    scopes: ['guild:read'],
    expiresAt: '2999-01-01T00:00:00Z',
  })
  const keys = { own: mock.apiKey, sameGuild, otherGuild: other.apiKey }
  return (key, time) => {
    now = time
    const { status } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions', apiKey: keys[key] })
    return status !== 429
  }
}
