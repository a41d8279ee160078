import { tracingChannel } from 'node:diagnostics_channel'
import { GuildLedger, type RequestTrace } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

it('publishes the start and the end of each call, with endpoint, status and attempts', async () => {
  const channel = tracingChannel('guild-ledger:request')
  const events: [string, unknown][] = []
  const record = (event: string) => (message: unknown) =>
    void events.push([event, structuredClone({ ...(message as object), result: undefined, error: undefined })])
  const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
  const subscribers = Object.fromEntries(names.map((name) => [name, record(name)])) as never
  const service = stubService((count) =>
    count === 1 ? Response.json(guildResponse) : Response.json(errorBody('no'), { status: 403 }),
  )
  const ledger = new GuildLedger(service.options)

  channel.subscribe(subscribers)
  const { response } = await ledger.transactions.list()
  await failureOf(ledger.user('1').transactions.list())
  channel.unsubscribe(subscribers)

  expect(response.callId).toMatch(/^[\da-z]{1,6}-\d+$/)
  expect(events.map(([event]) => event).join(' ')).toBe(
    'start end asyncStart asyncEnd start end error asyncStart asyncEnd',
  )
  const first = { callId: response.callId, method: 'GET', endpoint: '/guild/ledger/transactions' }
  expect(events[3]?.[1]).toMatchObject({ ...first, status: 200, attempts: 1 })
  expect(events.at(-1)?.[1]).toMatchObject({ endpoint: '/guild/ledger/{platformId}/transactions', status: 403 })
})

it('has the status and the time of each request of a call', async () => {
  const channel = tracingChannel<RequestTrace>('guild-ledger:request')
  const traces: RequestTrace[] = []
  const subscribers = { asyncEnd: (trace: RequestTrace) => void traces.push(trace) }
  const service = stubService(async (count) => {
    await new Promise((passed) => setTimeout(passed, 20))
    if (count === 1) throw new TypeError('fetch failed')
    return count === 2 ? Response.json(errorBody('later'), { status: 503 }) : Response.json(guildResponse)
  })

  channel.subscribe(subscribers as never)
  await new GuildLedger({ ...service.options, retry: { baseDelayMs: 0 }, logLevel: 'off' }).transactions.list()
  channel.unsubscribe(subscribers as never)

  expect(traces[0]).toMatchObject({ attempts: 3, status: 200 })
  expect(traces[0]?.requests.map(({ status }) => status)).toEqual([undefined, 503, 200])
  for (const { durationMs } of traces[0]?.requests ?? []) expect(durationMs).toBeGreaterThan(15)
})

it('leaves the trace of a call that was given up as it is when its response comes', async () => {
  const channel = tracingChannel<RequestTrace>('guild-ledger:request')
  const traces: RequestTrace[] = []
  const subscribers = { asyncEnd: (trace: RequestTrace) => void traces.push(trace) }
  const late = Promise.withResolvers<Response>()
  const { throttle, outcomes } = stubThrottle()
  const ledger = new GuildLedger({ ...stubService(() => late.promise).options, throttle })

  channel.subscribe(subscribers as never)
  await failureOf(ledger.transactions.list({}, { timeoutMs: 20 }))
  channel.unsubscribe(subscribers as never)
  late.resolve(Response.json(guildResponse))
  await vi.waitFor(() => expect(outcomes).toHaveLength(2))

  expect(traces[0]).toMatchObject({ attempts: 1, requests: [{ status: undefined }] })
  expect(traces[0]?.status).toBeUndefined()
})
