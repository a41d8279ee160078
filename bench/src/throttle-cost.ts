/** What a throttle costs where it does not wait, and what a long queue costs. Prints figures, judges nothing. */
import { createThrottle } from '../../packages/sdk/src/throttle/index.ts'
import { createVirtualTime } from '../../packages/test-kit/src/virtual-time.ts'

const ok = { kind: 'completed', status: 200 } as const
const rounds = 200_000

/** Microseconds for one permit that is taken and given back at once. */
const costOf = async (): Promise<number> => {
  const throttle = createThrottle()
  const from = performance.now()
  for (let i = 0; i < rounds; i++) {
    const permit = await throttle.acquire()
    permit.release({ kind: 'notSent' })
  }
  return ((performance.now() - from) / rounds) * 1000
}

const costs = [await costOf(), await costOf(), await costOf()]
console.log(`acquire + release without waiting: ${costs.map((us) => us.toFixed(2)).join(', ')} us`)

for (const waiting of [10_000, 100_000, 200_000]) {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock })
  const { signal } = new AbortController()
  const queuedFrom = performance.now()
  const calls = Array.from({ length: waiting }, async () => (await throttle.acquire({ signal })).release(ok))
  const servedFrom = performance.now()
  await time.run()
  await Promise.all(calls)
  const each = (ms: number) => ((ms / waiting) * 1000).toFixed(2)
  const [queue, serve] = [each(servedFrom - queuedFrom), each(performance.now() - servedFrom)]
  console.log(`${waiting} waiters with one signal: ${queue} us each to queue, ${serve} us each to serve`)
}
