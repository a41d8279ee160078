import { createMockLedger, type Fault } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A client with its own throttle and delays, as bots have them. */
const setUp = () => {
  const mock = createMockLedger({ transactions: 250 })
  const ledger = new GuildLedger({ ...mock.clientOptions, throttle: {}, retry: {}, logLevel: 'off' })
  return { guild: mock.guild, ledger }
}

/** Lets time pass until the condition holds. However long the process takes for a step, no step is too short. */
const advanceUntil = async (holds: () => boolean) => {
  while (!holds()) await vi.advanceTimersByTimeAsync(1000)
}

/** Lets time pass until a promise is settled. */
const advanceUntilSettled = async (promise: Promise<unknown>) => {
  let isSettled = false
  void promise.catch(() => {}).then(() => (isSettled = true))
  await advanceUntil(() => isSettled)
}

it('the audit has no finding about a watch on a quiet ledger', async () => {
  const { guild, ledger } = setUp()
  const watch = ledger.transactions.watch()[Symbol.asyncIterator]()
  void watch.next()

  await advanceUntil(() => guild.requests.length > 100)
  await watch.return()

  expect(guild.audit()[0]?.findings).toEqual([])
})

it.each<Fault>([
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'hang' },
  { kind: 'latency', ms: 60_000 },
  { kind: 'slow-body', intervalMs: 60_000 },
  { kind: 'html-502' },
  { kind: 'internal-error' },
  { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
])('the audit has no finding about a client that retries after %j', async (fault) => {
  const { guild, ledger } = setUp()
  guild.fault({ ...fault, times: 2 })

  await advanceUntilSettled(ledger.transactions.list({ from: 'shop' }))
  // A request that the client has given up is left alone on the network for up to ten seconds.
  await advanceUntil(() => guild.requests.filter(({ status }) => status === 200).length === 1)

  expect(guild.requests).toHaveLength(3)
  guild.expectRequests(1, { status: 200 })
  expect(guild.audit()[0]?.findings).toEqual([])
})

it('the audit has no finding about a pagination while transactions vanish', async () => {
  const { guild, ledger } = setUp()
  const ids = guild.transactions.map(({ transactionId }) => transactionId)
  const seen = (async () => {
    let count = 0
    for await (const _ of ledger.transactions.iterate({ limit: 50 })) {
      count += 1
      if (count % 40 === 0) guild.remove([ids.pop() ?? ''])
    }
    return count
  })()

  await advanceUntilSettled(seen)

  expect(guild.audit()[0]?.findings).toEqual([])
})
