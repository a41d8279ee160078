import { createThrottle, GuildLedger, type Throttle } from '@guild-ledger/sdk'
import { createRandom, createVirtualTime, judgeArrivals, type Arrivals, type VirtualTime } from '@guild-ledger/test-kit'

/** How callers use the client, and what the network and the service do to their requests. Times in milliseconds. */
export interface Scenario {
  readonly seed: number
  /** Calls to make in all. */
  readonly calls: number
  /** Calls in progress at once. */
  readonly callers: number
  /** From `fetch` to the arrival at the service, at most; drawn anew for each request. At most 10 seconds. */
  readonly inboundMs: number
  /** The network holds requests back and delivers them together, at multiples of this time; at most 10 seconds. */
  readonly deliversEveryMs?: number
  /** From the arrival to the sight of the response, at most. */
  readonly outboundMs: number
  /** Share of requests that the service holds for up to 15 seconds. */
  readonly stalls: number
  /** Share of requests that a gateway responds to with 502 or 504 before they arrive. */
  readonly gatewayErrors: number
  /** @default one or the other */
  readonly gatewayStatus?: 502 | 504
  /** Share of connections that fail, before or after the request has arrived. */
  readonly failures: number
  /** Share of calls that their caller aborts at a random time. */
  readonly aborts: number
  readonly attemptTimeoutMs: number
  readonly timeoutMs: number | undefined
  /** Clients that share the key; callers take turns with them. @default 1 */
  readonly clients?: number
  /** Made with the virtual clock, for each client; by default the throttle that clients have. */
  readonly throttle?: (time: VirtualTime, attemptTimeoutMs: number) => Throttle
  /** Waits until nothing happens any more without time passing. */
  readonly settle?: () => Promise<void>
}

// Timers fire a little late, so that one that is due in a rounding error does not fire at that time again and again.
export const fireLate = (due: number): number => due + 0.001

const realImmediate = setImmediate
export const macrotask = async (): Promise<void> => new Promise((resolve) => realImmediate(resolve))

const page = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
})

/** Replaces clock and timers of this process until the returned object is disposed of. */
export const replaceClock = (time: VirtualTime): Disposable => {
  const { setTimeout, clearTimeout } = globalThis
  // Not its value: in Node it is a getter, and must be one again.
  const performance = Object.getOwnPropertyDescriptor(globalThis, 'performance') ?? {}
  const { clock } = time
  Object.assign(globalThis, { setTimeout: clock.setTimeout.bind(clock), clearTimeout: clock.clearTimeout.bind(clock) })
  Object.defineProperty(globalThis, 'performance', { configurable: true, value: { now: () => time.now() } })
  return {
    [Symbol.dispose]() {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      Object.defineProperty(globalThis, 'performance', performance)
    },
  }
}

/**
 * Lets callers use a real client over a simulated network in virtual time, and judges how requests arrive at the service.
 * A request that was aborted arrives all the same: nothing in `fetch` promises otherwise.
 */
export const simulateClient = async (scenario: Scenario): Promise<Arrivals & { readonly succeeded: number }> => {
  const { calls, callers, deliversEveryMs = 0, attemptTimeoutMs, timeoutMs, clients = 1, settle = macrotask } = scenario
  const random = createRandom(scenario.seed)
  const chance = (share: number) => random() < share
  const time = createVirtualTime(fireLate, settle)
  using clock = replaceClock(time)
  void clock
  const arrivals: number[] = []

  const fetch = async (_url: string, { signal }: RequestInit): Promise<Response> => {
    const passedAt = time.now() + random() * scenario.inboundMs
    const arrivesAt = deliversEveryMs > 0 ? Math.ceil(passedAt / deliversEveryMs) * deliversEveryMs : passedAt
    const stallMs = chance(scenario.stalls) ? random() * 15_000 : 0
    const respondedAt = arrivesAt + stallMs + random() * scenario.outboundMs
    time.at(arrivesAt, () => arrivals.push(time.now()))
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      if (chance(scenario.gatewayErrors)) {
        const seenAt = time.now() + random() * (arrivesAt - time.now())
        time.at(seenAt, () =>
          resolve(new Response('', { status: scenario.gatewayStatus ?? (chance(0.5) ? 502 : 504) })),
        )
      } else if (chance(scenario.failures)) time.at(respondedAt, () => reject(new TypeError('fetch failed')))
      else time.at(respondedAt, () => resolve(new Response(page)))
    })
  }

  const createClient = () =>
    new GuildLedger({
      apiKey: 'simulated',
      baseUrl: 'https://ledger.test',
      fetch,
      attemptTimeoutMs,
      timeoutMs,
      logLevel: 'off',
      deduplicate: false,
      throttle: scenario.throttle?.(time, attemptTimeoutMs) ?? createThrottle({ clock: time.clock }),
    })
  const ledgers = Array.from({ length: clients }, createClient)
  let made = 0
  let succeeded = 0
  const call = async (ledger: GuildLedger): Promise<void> => {
    made++
    const controller = new AbortController()
    if (chance(scenario.aborts)) time.at(time.now() + random() * 3000, () => controller.abort())
    await ledger.transactions.list({}, { signal: controller.signal }).then(
      () => succeeded++,
      () => {},
    )
    if (made < calls) await call(ledger)
  }
  let isDone = false
  const done = Promise.all(
    Array.from({ length: callers }, (_, i) => call(ledgers[i % clients] as GuildLedger)),
  ).finally(() => {
    isDone = true
  })
  // What the platform does on other threads, such as hashing, plans nothing in virtual time.
  for (;;) {
    await time.run()
    if (isDone) break
  }
  await done
  return { ...judgeArrivals(arrivals), succeeded }
}
