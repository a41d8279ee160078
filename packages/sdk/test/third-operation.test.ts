/**
 * The spec names `GET /guild/discharges` and says nothing of it. Here it lists discharges: what a further operation takes is
 * a row of the contract and a definition, and it is then listed, paginated and watched like the two documented ones.
 */
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { errorBody, failureOf, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { createList } from '../src/lists.ts'
import { defineOperation, type Items, type ResponseProperty } from '../src/operations/operation.ts'
import { clientSettings } from '../src/options/index.ts'
import { createTransport } from '../src/transport/index.ts'

interface Discharge {
  readonly dischargeId: number
  readonly createdAt: string
}
interface DischargePage extends ResponseProperty {
  readonly discharges: readonly Discharge[]
  readonly pagination: { page: number; limit: number; total: number; totalPages: number }
}
interface DischargeQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly sortBy?: 'createdAt' | undefined
  readonly sortOrder?: 'asc' | 'desc' | undefined
  readonly startDate?: Date | undefined
}

const count = z.number('a number')
const facts = {
  path: '/guild/discharges',
  query: z.strictObject({
    page: z.optional(count),
    limit: z.optional(count),
    sortBy: z.optional(z.literal('createdAt')),
    sortOrder: z.optional(z.literal(['asc', 'desc'])),
    startDate: z.optional(z.date()),
  }),
  response: z.object({
    discharges: z.array(z.object({ dischargeId: count, createdAt: z.string('a string') })),
    pagination: z.object({ page: count, limit: count, total: count, totalPages: count }),
  }),
}
const items: Items<DischargeQuery, DischargePage, Discharge> = {
  groupsOf: ({ discharges }) => [discharges],
  orderOf: () => (groups) => groups.flat(),
  identityOf: ({ dischargeId }) => String(dischargeId),
  isNothingFound: ({ status }) => status === 404,
}

const discharge = (dischargeId: number): Discharge => ({
  dischargeId,
  createdAt: new Date(Date.UTC(2026, 0, 31, 10, 0, dischargeId)).toISOString(),
})

/** A service with discharges 1 to `size`, and a list of them. */
const createService = (size: number, options: GuildLedgerOptions = {}) => {
  const discharges = Array.from({ length: size }, (_, i) => discharge(i + 1))
  const service = stubService((_, { url }) => {
    const { searchParams } = new URL(url)
    const [page, limit] = ['page', 'limit'].map((name) => Number(searchParams.get(name) ?? 1)) as [number, number]
    const from = Date.parse(searchParams.get('startDate') ?? '1970-01-01T00:00:00Z')
    const all = discharges.filter(({ createdAt }) => Date.parse(createdAt) >= from)
    if (searchParams.get('sortOrder') !== 'asc') all.reverse()
    if (all.length === 0) return Response.json(errorBody('No discharges found'), { status: 404 })
    return Response.json({
      discharges: all.slice((page - 1) * limit, page * limit),
      pagination: { page, limit, total: all.length, totalPages: Math.ceil(all.length / limit) },
    })
  })
  const transport = createTransport(clientSettings({ ...service.options, ...options }))
  const operation = defineOperation(facts, items)(transport)
  return { discharges, service, list: createList(operation, service.options.baseUrl, operation, {}) }
}
const idsOf = (values: readonly Discharge[]) => values.map(({ dischargeId }) => dischargeId)

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 10, 5) }))
afterEach(() => void vi.useRealTimers())

it('lists a page, whose query and body are checked', async () => {
  const { list, service } = createService(3)
  const page = await list.list({ limit: 2 })
  expect([idsOf(page.discharges), page.response.status]).toEqual([[3, 2], 200])
  expect(await failureOf(list.list({ limits: 2 } as object))).toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringContaining('Did you mean `limit`?') as string,
  })
  expect(service.sent).toHaveLength(1)
})

it('yields each item once, while others are added', async () => {
  const { list, discharges } = createService(5)
  const found: Discharge[] = []
  for await (const one of list.iterate({ limit: 2 }, { concurrency: 1 })) {
    found.push(one)
    if (found.length <= 3) discharges.push(discharge(discharges.length + 1))
  }
  expect(idsOf(found)).toEqual([5, 4, 3, 2, 1])
})

it('yields nothing where the service says that it found nothing', async () => {
  const { list } = createService(0)
  expect(await Array.fromAsync(list.iterate())).toEqual([])
  expect(await failureOf(Array.fromAsync(list.pages({}, { onEmpty: 'throw' })))).toMatchObject({ status: 404 })
})

it('watches for new items, from a checkpoint too', async () => {
  const { list, discharges } = createService(2)
  const watch = list.watch({}, { intervalMs: 1000 })
  const next = watch.next()
  await vi.advanceTimersByTimeAsync(500)
  discharges.push(discharge(3))
  await vi.advanceTimersByTimeAsync(1000)
  expect((await next).value).toEqual(discharge(3))
  await watch.return()

  discharges.push(discharge(4))
  const rest = Array.fromAsync(list.watch({}, { since: watch.checkpoint, follow: false }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(idsOf(await rest)).toEqual([4])
})

it('is requested by the same client until it has a row', async () => {
  const { service } = createService(2)
  await using ledger = new GuildLedger(service.options)
  expect(await ledger.get('/guild/discharges', { query: { page: 1, limit: 1 }, schema: facts.response })).toMatchObject(
    { discharges: [discharge(2)] },
  )
})
