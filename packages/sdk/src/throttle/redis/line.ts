import { createScript, nameFor } from './client.ts'
import type { Leases } from './leases.ts'
import type { redisSettingsOf } from './options.ts'
import { answerOf, argumentsFor, script, type Answer } from './script.ts'
import { withTimeout } from './timeout.ts'

/** How often Redis is tried while it is away. */
export const probeMs = 500

/** Time for processes to notice that Redis is gone, back or new, and for requests that were sent before to arrive. */
const noticeIn = (redisTimeoutMs: number) => Math.max(1500, redisTimeoutMs + probeMs)

/** The line of one process to Redis, with what is still to be told when it is down. */
export interface Line {
  /** Whether the last word of Redis was an answer. */
  readonly up: boolean
  readonly outages: number
  readonly roundTrips: number
  readonly lastTalkAt: number
  /** How long nothing is sent after leases may have been lost. */
  readonly settleMs: number
  /** Whether the line is known to be down: it was tried just now. */
  isDownFor(now: number): boolean
  /** Keeps for the next talk that the request of a lease arrives for `ms` more at most, or (`x`) was never sent. */
  note(lease: string, ms: number | 'x'): void
  /** One round trip: tells all that is noted and asks for `want` leases (0 leaves the queue, -1 asks for nothing). */
  talk(want: number, pauseMs?: number): Promise<Granted>
}

/** An answer of Redis with the names of the leases it granted. */
type Granted = Omit<Answer, 'granted'> & { readonly granted: readonly string[] }

interface Told {
  /** The line went down, or is down again for all that is known. */
  down(): void
  /** Redis answered: so careful are the processes now. */
  pace(pace: number): void
}

export const createLine = (
  settings: ReturnType<typeof redisSettingsOf>,
  leases: Leases,
  pace: () => number,
  told: Told,
): Line => {
  const { clock, slots, windowMs, marginMs, client, prefix, redisTimeoutMs, share } = settings
  const settleMs = windowMs + noticeIn(redisTimeoutMs)
  // What is held for a request of which nothing more is heard: its time-out, and a second for the service.
  const arrivalMs = settings.attemptTimeoutMs + 1000
  const runScript = createScript(client, script)
  const tag = nameFor(settings.key)
  const self = crypto.randomUUID()
  const asIt = { process: self, slots, windowMs, marginMs, arrivalMs, settleMs }
  const figures = { outages: 0, roundTrips: 0, lastTalkAt: -Infinity }
  let news = new Map<string, number | 'x'>()
  let up = true
  let epoch: string | undefined
  let ticket = 0
  let lastFailedAt = -Infinity

  const run = async (values: string[]): Promise<Answer> => {
    const names = ['leases', 'queue', 'due', 'state'].map((part) => async () => `{${prefix}:${await tag}}:${part}`)
    const keys = await Promise.all(names.map((of) => of()))
    return answerOf(await withTimeout(clock, redisTimeoutMs, runScript(keys, values)))
  }

  /** After an outage Redis is told of everything held here, and to forget what is not. */
  const everything = (now: number): void => {
    for (const lease of news.keys()) news.set(lease, 'x')
    for (const [lease, ms] of leases.all(now, arrivalMs)) news.set(lease, ms)
  }

  const isFresh = (now: number) => now - lastFailedAt <= probeMs + redisTimeoutMs + 250

  const line: Line = {
    isDownFor: (now) => !up && isFresh(now),
    get up() {
      return up
    },
    get outages() {
      return figures.outages
    },
    get roundTrips() {
      return figures.roundTrips
    },
    get lastTalkAt() {
      return figures.lastTalkAt
    },
    settleMs,
    note(lease, ms) {
      news.set(lease, ms)
    },
    async talk(want, pauseMs = 0) {
      const now = clock.now()
      const rejoin = !up
      if (rejoin) everything(now)
      const sent = news
      news = new Map()
      const wanted = Array.from({ length: Math.max(0, want) }, (_, i) => `${self}:${ticket + i}`)
      // Without shares nobody has sent anything while the line was down, so nobody has to wait.
      const talk = { ...asIt, want, pauseMs, rejoin: rejoin && share > 0, ticket, pace: pace(), leases: [...sent] }
      ticket += wanted.length
      figures.lastTalkAt = now
      figures.roundTrips++
      try {
        const answer = await run(argumentsFor(talk))
        // An answer to what was said before the line went down does not mean that it is up again.
        if (rejoin) up = true
        if (epoch !== undefined && epoch !== answer.epoch && !rejoin) {
          everything(clock.now())
          queueMicrotask(() => void line.talk(-1).catch(() => {}))
        }
        epoch = answer.epoch
        told.pace(answer.pace)
        return { ...answer, granted: wanted.slice(0, answer.granted) }
      } catch (error) {
        // Nobody knows whether Redis has heard: what it may have granted is handed back, the rest told again.
        for (const [lease, ms] of sent) if (!news.has(lease)) news.set(lease, ms)
        for (const lease of wanted) news.set(lease, 'x')
        const wasKnown = !up && isFresh(clock.now())
        if (up) figures.outages++
        up = false
        lastFailedAt = clock.now()
        if (!wasKnown) told.down()
        throw error
      }
    },
  }
  return line
}
