import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { cases, createRandom, testSeed } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { acknowledge, readFeed, send, startGateway } from './gateway-support.ts'
import { runProgram, startService, temporaryFolder } from './support.ts'

const requests = cases(25, 10)
const transaction = createTransactionFactory()
const patient = { timeout: 10_000, interval: 20 }

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
      ...'--parallel --parallel-max 50 --no-progress-meter --write-out %{http_code}\\n'.split(' '),
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
    const kills = cases(4, 3)
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
        for await (const { position, transaction: entry } of readFeed(url)) {
          const { transactionId } = entry
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

it('requests few pages ahead of a client that does not read', async () => {
  const { guild, env } = await startService({ transactions: 0, rateLimit: 'off' })
  guild.add(Array.from({ length: 2000 }, () => transaction({ name: 'x'.repeat(40_000) })))
  const gateway = await startGateway(env, '--interval', '60')

  const [response] = (await once(request(`${gateway.url}/transactions`).end(), 'response')) as [IncomingMessage]
  await sleep(2000) // time for all twenty pages
  expect(guild.requests.length).toBeLessThan(14)
  expect((await text(response)).trimEnd().split('\n')).toHaveLength(2001)
})

it('bounds the wait, tells who goes first, and frees the place of a client that hangs up', async () => {
  const { guild, env } = await startService({ transactions: 5 })
  const gateway = await startGateway(env)
  const list = `${gateway.url}/guild/ledger/transactions?limit=1`
  const withHeaders = (headers: Record<string, string>) => send(list, headers)

  expect(await withHeaders({ 'x-ledger-priority': 'high' })).toMatchObject({ status: 400 })
  expect(await withHeaders({ 'x-ledger-timeout-ms': '-1' })).toMatchObject({ status: 400 })
  expect(await send(`${gateway.url}/guild/x`, {}, 'POST')).toMatchObject({ status: 405 })
  expect(await send(`${gateway.url}/guild/..%2fadmin`)).toMatchObject({ status: 400 })
  expect(await send(`${gateway.url}/other`)).toMatchObject({ status: 404 })

  guild.fault({ kind: 'latency', ms: 1500, query: { limit: '2' } })
  const slow = send(`${gateway.url}/guild/ledger/transactions?limit=2`, { 'x-ledger-timeout-ms': '300' })
  expect(await slow).toMatchObject({ status: 504, body: expect.stringContaining('"success":false') })

  const waiting = async () => (JSON.parse((await send(`${gateway.url}/health`)).body) as { waiting: number }).waiting
  const hanging = Array.from({ length: 30 }, (_, i) =>
    request(`${list}&minAmount=${i}`)
      .on('error', () => {})
      .end(),
  )
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(10), patient)
  const metrics = async () => (await send(`${gateway.url}/metrics`)).body
  expect(await metrics()).toMatch(/^guild_ledger_queue_length (1[1-9]|2\d)$/m)
  for (const one of hanging) one.destroy()
  await vi.waitFor(async () => expect(await waiting()).toBeLessThan(3), patient)
  expect(guild.requests.filter(({ query }) => query.minAmount !== undefined).length).toBeLessThan(25)

  let done = 0
  const background = Array.from({ length: 25 }, (_, i) =>
    send(`${list}&minAmount=${i}`, { 'x-ledger-priority': 'background' }).then(() => done++),
  )
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(10), patient)
  await withHeaders({ 'x-ledger-priority': 'interactive' })
  expect(done).toBeLessThan(25)
  await Promise.all(background)
  expect(await metrics()).toMatch(/queue_seconds_bucket\{le="60"\} (\d+)\n[^]*^guild_ledger_queue_seconds_count \1$/m)
  expect(guild.audit()[0]?.mostInOneSecond).toBeLessThanOrEqual(10)
})

it('says in its health whether the service can be polled and takes the key', async () => {
  const { mock, guild, env } = await startService({ transactions: 5 })
  const gateway = await startGateway(env)
  const health = async () => {
    const { status, body } = await send(`${gateway.url}/health`)
    return [status, JSON.parse(body) as { lastPollAt: string | null }] as const
  }
  await vi.waitFor(
    async () =>
      expect(await health()).toEqual([
        200,
        { status: 'ok', key: 'accepted', lastPollAt: expect.any(String), waiting: 0 },
      ]),
    patient,
  )
  const [, { lastPollAt }] = await health()
  expect(Math.abs(Date.now() - Date.parse(lastPollAt ?? ''))).toBeLessThan(10_000)
  await vi.waitFor(async () => expect((await health())[1].lastPollAt).not.toBe(lastPollAt), patient)

  guild.deleteKey(guild.keys[0]?.id ?? '')
  await vi.waitFor(
    async () => expect(await health()).toMatchObject([503, { status: 'unavailable', key: 'rejected' }]),
    patient,
  )
  expect(JSON.stringify(await health())).not.toContain(mock.apiKey)
  gateway.child.kill('SIGINT')
  expect(await gateway.exited).toEqual({ code: 130, signal: null })

  const down = await startGateway({ ...env, GUILD_LEDGER_BASE_URL: 'http://127.0.0.1:9' })
  const { status, body } = await send(`${down.url}/health`)
  expect([status, JSON.parse(body)]).toMatchObject([503, { status: 'unavailable', key: 'unknown', lastPollAt: null }])
  expect(await send(`${down.url}/guild/ledger/transactions`)).toMatchObject({ status: 502 })
  const ended = await send(`${down.url}/transactions`)
  expect([ended.status, JSON.parse(ended.body)]).toMatchObject([502, { ended: 'error', code: 'connection' }])

  await expect(startGatewayToEnd({ ...env, GUILD_LEDGER_API_KEY: 'unknown' })).resolves.toBe(3)
})

/** The exit code of a gateway that ends by itself. */
const startGatewayToEnd = async (env: NodeJS.ProcessEnv) => {
  const { exited } = await startGateway(env)
  return Promise.race([exited.then(({ code }) => code), sleep(20_000)])
}
