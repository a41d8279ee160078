import { tracingChannel } from 'node:diagnostics_channel'
import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

it('publishes the start and the end of each call, with endpoint, status and attempts', async () => {
  const channel = tracingChannel('guild-ledger:request')
  const events: [string, unknown][] = []
  const record = (event: string) => (message: unknown) =>
    void events.push([event, structuredClone({ ...(message as object), result: undefined, error: undefined })])
  const subscribers = {
    start: record('start'),
    end: record('end'),
    asyncStart: record('asyncStart'),
    asyncEnd: record('asyncEnd'),
    error: record('error'),
  }
  const service = stubService((count) =>
    count === 1 ? Response.json(guildResponse) : Response.json(errorBody('no'), { status: 403 }),
  )
  const ledger = new GuildLedger(service.options)

  channel.subscribe(subscribers)
  const { response } = await ledger.transactions.list()
  await ledger
    .user('1')
    .transactions.list()
    .catch(() => {})
  channel.unsubscribe(subscribers)

  expect(response.callId).toMatch(/^[\da-z]{1,6}-\d+$/)
  expect(events.map(([event]) => event)).toEqual([
    'start',
    'end',
    'asyncStart',
    'asyncEnd',
    'start',
    'end',
    'error',
    'asyncStart',
    'asyncEnd',
  ])
  expect(events[3]?.[1]).toMatchObject({
    callId: response.callId,
    method: 'GET',
    endpoint: '/guild/ledger/transactions',
    status: 200,
    attempts: 1,
  })
  expect(events.at(-1)?.[1]).toMatchObject({
    endpoint: '/guild/ledger/{platformId}/transactions',
    status: 403,
  })
})
