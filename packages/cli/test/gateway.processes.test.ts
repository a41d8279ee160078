import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { cases, createRandom, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { acknowledge, readFeed, startGateway } from './gateway-support.ts'
import { runProgram, startService, temporaryFolder } from './support.ts'

const requests = cases(100, 10)
const transaction = createTransactionFactory()

const python = `
import sys, threading, urllib.request
gateway, count = sys.argv[1], int(sys.argv[2])
statuses = []
def get(i):
    statuses.append(urllib.request.urlopen(f"{gateway}/guild/ledger/transactions?limit=1&page={i + 1}").status)
threads = [threading.Thread(target=get, args=(i,)) for i in range(count)]
[t.start() for t in threads]
[t.join() for t in threads]
print(statuses.count(200))
`

it('three programs that know no limit share a gateway, and no request is refused', { timeout: 240_000 }, async () => {
  const { guild, env } = await startService({ transactions: 500 })
  const gateway = await startGateway(env, '--interval', '5')
  const url = (i: number) => `${gateway.url}/guild/ledger/transactions?limit=1&page=${i + 1}`
  const counts = await Promise.all([
    runProgram('python3', ['-c', python, gateway.url, String(requests)]).then(Number),
    runProgram('curl', [
      '--parallel',
      '--parallel-max',
      '50',
      '--no-progress-meter',
      '--write-out',
      '%{http_code}\\n',
      ...Array.from({ length: requests }, (_, i) => ['-o', '/dev/null', url(100 + i)]).flat(),
    ]).then((out) => out.split('\n').filter((line) => line === '200').length),
    Promise.all(Array.from({ length: requests }, async (_, i) => (await fetch(url(200 + i))).status)).then(
      (statuses) => statuses.filter((status) => status === 200).length,
    ),
  ])

  expect(counts).toEqual([requests, requests, requests])
  const [audit] = guild.audit()
  console.log(`${3 * requests} requests of three programs, worst second ${audit?.mostInOneSecond}`)
  expect(audit).toMatchObject({ findings: [], beforeRetryAfter: 0, withoutBackOff: 0 })
  expect(audit?.mostInOneSecond).toBeLessThanOrEqual(10)
  expect(guild.requests.filter(({ status }) => status === 429)).toEqual([])
})

it('the Python program of the guide reads from a gateway', async () => {
  const { guild, env } = await startService({ users: 3, transactions: 150 })
  const gateway = await startGateway(env)
  const guide = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
  const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? []

  const out = await runProgram('python3', ['-W', 'error', '-c', program], { GATEWAY: gateway.url })

  const bought = guild.transactions.filter(({ source }) => source === 'shop')
  const cents = bought.reduce((sum, { total }) => sum + Math.round(total * 100), 0)
  expect(out).toBe(`${bought.length} transactions, total ${(cents / 100).toFixed(2)}\n`)
})

it(
  'a feed loses nothing after kills of the gateway, and repeats nothing that was acknowledged',
  { timeout: 1_800_000 },
  async () => {
    const { guild, env } = await startService({ transactions: 0, rateLimit: 'off' })
    const folder = temporaryFolder()
    const random = createRandom(testSeed())
    const kills = cases(100, 3)
    const added: string[] = []
    const received: string[] = []
    const positions = new Map<string, number>()
    const acknowledged = new Set<string>()
    const again: string[] = []
    const add = () => {
      const one = transaction({ createdAt: new Date().toISOString() })
      guild.add([one])
      added.push(one.transactionId)
    }
    const first = await startGateway(env, '--state', folder.file('positions'))
    expect((await fetch(`${first.url}/feed/bot`)).status).toBe(200) // from here on, nothing is missed
    first.child.kill('SIGKILL')
    await first.exited
    for (let i = 0; i <= kills || (acknowledged.size < added.length && i < kills + 20); i++) {
      const gateway = await startGateway(env, '--state', folder.file('positions'))
      const url = `${gateway.url}/feed/bot`
      const isLast = i >= kills
      const killed = sleep(isLast ? 3000 : random() * 600).then(() => gateway.child.kill('SIGKILL'))
      const reader = async () => {
        for await (const {
          position,
          transaction: { transactionId },
        } of readFeed(url)) {
          if (acknowledged.has(transactionId)) again.push(transactionId)
          received.push(transactionId)
          positions.set(transactionId, position)
          if ((isLast || random() < 0.8) && (await acknowledge(url, position)).status === 204)
            for (const [one, at] of positions) if (at <= position) acknowledged.add(one)
          if (!isLast && random() < 0.5) add()
        }
      }
      const reading = reader().catch(() => {})
      for (let count = 0; count < 3; count++) add()
      await killed
      await reading
    }
    console.log(`${kills} kills, ${added.length} transactions, ${received.length} deliveries`)

    expect(added.filter((id) => !received.includes(id))).toEqual([])
    expect(again).toEqual([])
  },
)
