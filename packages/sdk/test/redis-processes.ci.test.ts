import { createRandom, judgeArrivals, startProcesses, startRedis, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const worker = new URL('redis-worker.ts', import.meta.url)

it('eight processes with one key stay below eleven requests in a second while two die and Redis restarts empty', async () => {
  await using server = await startRedis()
  const random = createRandom(testSeed())
  await using processes = await startProcesses(worker, 8, server.port, () => random() * 40)
  const { arrivals, pids } = processes
  const servedAll = (from: number, who: readonly number[]) => () =>
    who.every((pid) => arrivals.slice(from).filter((arrival) => arrival.pid === pid).length >= 2)

  const before = await processes.until(servedAll(0, pids), 30)
  await Promise.all(pids.slice(0, 2).map((pid) => processes.kill(pid)))
  await server.stop()
  await server.start()
  const after = await processes.until(servedAll(arrivals.length, pids.slice(2)), 30)

  expect([before, after]).toEqual([true, true])
  expect(judgeArrivals(arrivals.map(({ at }) => at))).toMatchObject({ over: 0, most: expect.any(Number) as number })
})
