/**
 * What cancelled calls cost, and whether eleven requests ever arrive in a second, with a client over a simulated network in
 * virtual time: `pnpm --dir bench cancelled [sends]`. The contender frees the slot of a cancelled request after the time
 * limit of an attempt, as earlier versions did.
 */
import { createThrottle, GuildLedger, type Throttle } from '@guild-ledger/sdk'
import { drawScenario, simulateClient } from '../../packages/sdk/test/transport-simulation.ts'
import { createRandom } from '../../packages/test-kit/src/random.ts'
import { createVirtualTime, type VirtualTime } from '../../packages/test-kit/src/virtual-time.ts'

type MakeThrottle = (time: VirtualTime, attemptTimeoutMs: number) => Throttle

const current: MakeThrottle = (time) => createThrottle({ clock: time.clock })
const freedByTimeLimit: MakeThrottle = (time, attemptTimeoutMs) => {
  const throttle = createThrottle({ clock: time.clock })
  return {
    ...throttle,
    acquire: async (options) => {
      const permit = await throttle.acquire(options)
      let isAborted = false
      return {
        release(outcome) {
          if (outcome.kind === 'aborted') {
            isAborted = true
            time.at(time.now() + Math.min(attemptTimeoutMs, 10_000), () => permit.release({ kind: 'failed' }))
          } else if (!isAborted) permit.release(outcome.kind === 'completed' ? { ...outcome, status: 200 } : outcome)
        },
      }
    },
  }
}
const contenders = { current, 'freed after the time limit': freedByTimeLimit }

const page = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
})
const macrotask = async () => new Promise<void>((resolve) => setImmediate(resolve))
const real = { setTimeout, clearTimeout, performance }

/** A client in virtual time, of a service that responds after `delayMs(now)`. */
const inVirtualTime = async <T>(
  makeThrottle: MakeThrottle,
  delayMs: (now: number) => number,
  use: (ledger: GuildLedger, time: VirtualTime, until: (at: number) => Promise<void>) => Promise<T>,
): Promise<T> => {
  const time = createVirtualTime(undefined, macrotask)
  Object.assign(globalThis, { setTimeout: time.clock.setTimeout, clearTimeout: time.clock.clearTimeout })
  Object.defineProperty(globalThis, 'performance', { configurable: true, value: { now: () => time.now() } })
  const fetch = async (_url: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      time.at(time.now() + delayMs(time.now()), () => resolve(new Response(page)))
    })
  const throttle = makeThrottle(time, 10_000)
  const baseUrl = 'https://ledger.test'
  const ledger = new GuildLedger({ apiKey: 'k', baseUrl, fetch, throttle, logLevel: 'off', deduplicate: false })
  const until = async (at: number) => new Promise<void>((resolve) => time.at(at, resolve))
  try {
    const result = use(ledger, time, until)
    await time.run()
    return await result
  } finally {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout })
    Object.defineProperty(globalThis, 'performance', { configurable: true, value: real.performance })
  }
}

/** A search field cancels its request at each of 25 keystrokes; then another user's call comes. Its time in ms. */
const autocomplete = (serviceMs: number, keyEveryMs: number) => (makeThrottle: MakeThrottle) =>
  inVirtualTime(
    makeThrottle,
    () => serviceMs,
    async (ledger, time, until) => {
      let controller = new AbortController()
      for (let key = 0; key < 25; key++) {
        controller.abort()
        controller = new AbortController()
        ledger.transactions.list({ from: `key ${key}` }, { signal: controller.signal }).catch(() => {})
        await until(time.now() + keyEveryMs)
      }
      const from = time.now()
      await ledger.transactions.list()
      return time.now() - from
    },
  )

/** Ten pages are prefetched when a loop is left; then ten calls come. The time of the last, in ms. */
const afterBreak = (makeThrottle: MakeThrottle) =>
  inVirtualTime(
    makeThrottle,
    () => 100,
    async (ledger, time, until) => {
      const controllers = Array.from({ length: 10 }, () => new AbortController())
      for (const [n, { signal }] of controllers.entries()) {
        ledger.transactions.list({ page: n + 1 }, { signal }).catch(() => {})
      }
      await until(50)
      for (const controller of controllers) controller.abort()
      const from = time.now()
      await Promise.all(Array.from({ length: 10 }, (_, n) => ledger.transactions.list({ page: n + 1 })))
      return time.now() - from
    },
  )

/** Eight calls per second with `timeoutMs: 2500`; the service takes 3 s per response for 4 s. When the last call failed, after that. */
const brownOut = (makeThrottle: MakeThrottle) =>
  inVirtualTime(
    makeThrottle,
    (now) => (now < 4000 ? 3000 : 50),
    async (ledger, time, until) => {
      let lastFailedAt = 0
      let failed = 0
      const calls: Promise<unknown>[] = []
      for (let n = 0; n < 120; n++) {
        calls.push(
          ledger.transactions.list({ page: n + 1 }, { timeoutMs: 2500, maxRetries: 0 }).catch(() => {
            failed++
            lastFailedAt = time.now()
          }),
        )
        await until(time.now() + 125)
      }
      await Promise.all(calls)
      return `${lastFailedAt - 4000} (${failed} of 120 failed)`
    },
  )

const situations = {
  'autocomplete, 300 ms service, key every 200 ms': autocomplete(300, 200),
  'autocomplete, 1,000 ms service, key every 200 ms': autocomplete(1000, 200),
  'autocomplete, 60 ms service, key every 40 ms': autocomplete(60, 40),
  'ten calls after a loop was left, 100 ms service': afterBreak,
  'brown-out: last failure after its end': brownOut,
}

for (const [name, situation] of Object.entries(situations)) {
  for (const [contender, makeThrottle] of Object.entries(contenders)) {
    console.log(`${name}: ${contender}: ${await situation(makeThrottle)} ms`)
  }
}

const sends = Number(process.argv[2] ?? 20_000)
const random = createRandom(1)
for (const [contender, throttle] of Object.entries(contenders)) {
  let arrivals = 0
  let over = 0
  let runs = 0
  while (arrivals < (contender === 'current' ? sends : Math.min(sends, 50_000))) {
    const run = await simulateClient({ ...drawScenario(runs++, random), throttle })
    arrivals += run.arrivals
    over += run.over
  }
  console.log(`random networks, ${runs} runs: ${contender}: ${over} of ${arrivals} arrivals over the limit`)
}
