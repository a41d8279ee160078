import { describe, expect, it, vi } from 'vitest'
import type { LedgerEntry, Summary } from '../contract/index.ts'
import { batchesOf, type Batch } from './entries.ts'
import type { Drift } from './options.ts'
import type { Change, OrderedPage } from './ordered-pages.ts'
import type { PageResult } from './page-result.ts'

type Users = Readonly<Record<string, string>>
interface Claims {
  readonly limit?: number
  readonly total?: number
  readonly pages?: number
  readonly change?: Change
  readonly lost?: number
  readonly isContradicted?: boolean
  readonly summary?: Summary
}

/** A page with the transactions of each user, a letter for each. */
const page = (n: number, users: Users, claims: Claims = {}): OrderedPage<unknown> => {
  const { limit = 2, total = 6, pages = Math.ceil(total / limit), change = 'none', lost = 0, summary } = claims
  const groups = Object.entries(users).map(([platformId, letters]) => ({
    platformId,
    transactions: Array.from(letters, (transactionId) => ({ platformId, transactionId }) as LedgerEntry),
  }))
  const entries = groups.flatMap(({ transactions }) => transactions)
  return {
    page: n,
    response: {},
    groups,
    entries,
    count: entries.length,
    limit,
    version: { total, summary },
    lastPage: pages,
    certainPages: pages,
    servedPage: undefined,
    error: undefined,
    details: () => ({ method: 'GET', endpoint: '', url: '', attempts: 1, callId: `call ${n}` }),
    change,
    lost,
    isContradicted: claims.isContradicted ?? false,
  }
}

/** Reads the pages of each pass, the last pass again and again; what is read again comes from `rereads`. */
const run = async (
  passes: readonly (readonly OrderedPage<unknown>[])[],
  rereads: Readonly<Record<number, OrderedPage<unknown>>> = {},
  first = 1,
) => {
  const onDrift = vi.fn<(drift: Drift) => void>()
  const reread: number[] = []
  let count = 0
  const batches: Batch[] = []
  let failure: unknown
  const session = {
    first,
    onDrift,
    async *readPages() {
      const pages = passes[Math.min(count++, passes.length - 1)] ?? []
      yield* pages
    },
    async reread(n: number) {
      reread.push(n)
      return (rereads[n] ?? page(n, {})) as PageResult<unknown>
    },
    prefetch() {},
  }
  try {
    for await (const batch of batchesOf(session)) batches.push(batch)
  } catch (error) {
    failure = error
  }
  const letters = batches.map(({ entries }) => entries.map(({ transactionId }) => transactionId).join(''))
  return { batches, letters, all: letters.join(''), drifts: onDrift.mock.calls.flat(), reread, passes: count, failure }
}

describe('pages that count transactions', () => {
  const ann = (n: number, letters: string, claims?: Claims) => page(n, { ann: letters }, claims)

  it('are read once, and yield their transactions in order', async () => {
    const pages = [ann(1, 'ab'), ann(2, 'cd'), ann(3, 'ef')]

    const { batches, letters, drifts, passes, reread } = await run([pages])

    expect(letters).toEqual(['ab', 'cd', 'ef', ''])
    expect(batches.map(({ inOrder }) => inOrder)).toEqual([true, true, true, true])
    expect(batches.map((batch) => batch.page)).toEqual([...pages, undefined])
    expect([drifts, passes, reread]).toEqual([[], 1, []])
  })

  it('are read again where something was removed, and the loss is reported', async () => {
    const pages = [ann(1, 'ab'), ann(2, 'cd'), ann(3, 'f', { total: 5, change: 'removed', lost: 1 })]

    const { letters, drifts, reread } = await run([pages], { 2: ann(2, 'de') })

    expect(letters).toEqual(['ab', 'cd', 'e', 'f', ''])
    expect(reread).toEqual([2])
    expect(drifts).toEqual([{ kind: 'removed', page: 3, lost: 1, rereadFrom: 2, repaired: true }])
  })

  it('are read again to the first where something vanished before it was known what they count', async () => {
    // Where each user has one transaction, it is unknown.
    const single = (n: number, a: string, b: string, claims?: Claims) => page(n, { [`u${a}`]: a, [`u${b}`]: b }, claims)
    const pages = [
      single(1, 'a', 'b'),
      single(2, 'c', 'd', { change: 'removed', lost: 1, total: 9 }),
      ann(3, 'ef', { total: 9 }),
      ann(4, 'gh', { total: 9 }),
    ]

    const { all, drifts, reread } = await run([pages], { 2: single(2, 'c', 'x'), 1: single(1, 'a', 'b') })

    expect(reread).toEqual([2, 1])
    expect(all).toBe('abcdxefgh')
    expect(drifts[0]).toEqual({ kind: 'removed', page: 2, lost: 1, rereadFrom: 1, repaired: true })
  })

  it('are read again twice as often as there are pages, and a hundred times more', async () => {
    const shrinking = Array.from({ length: 90 }, (_, i) =>
      ann(i + 1, String.fromCodePoint(1000 + 2 * i, 1001 + 2 * i), {
        total: 180,
        change: i === 0 ? 'none' : 'removed',
        lost: 0,
      }),
    )

    const { reread, drifts } = await run([shrinking])

    expect(reread).toHaveLength(2 * 90 + 100)
    expect(drifts[0]).toMatchObject({ page: 2, rereadFrom: 1, repaired: true })
    expect(drifts.at(-1)).toMatchObject({ page: 90, rereadFrom: undefined, repaired: false })
  })
})

describe('pages that count users', () => {
  const summary = (uniqueUsers: number): Summary => ({ totalTransactions: 100, totalValue: 1, uniqueUsers })
  const claims = { limit: 1, total: 2, summary: summary(2) }
  const [annPage, bobPage] = [page(1, { ann: 'ab' }, claims), page(2, { bob: 'cd' }, claims)]

  it('are read once where all users were met', async () => {
    const { all, batches, passes, drifts } = await run([[annPage, bobPage]])

    expect([all, passes, drifts]).toEqual(['abcd', 1, []])
    expect(batches[0]?.inOrder).toBe(false)
  })

  it('are read again from the first where something vanished, until all users were met', async () => {
    const three = page(1, { ann: 'ab' }, { ...claims, total: 3, summary: summary(3) })
    const removed = page(2, { cat: 'ef' }, { ...claims, change: 'removed', lost: 1 })
    const [one, two] = [page(1, { ann: 'ab' }, claims), page(2, { bob: 'cd' }, claims)]

    const { all, passes, drifts } = await run([
      [three, removed],
      [one, two, page(3, { dan: 'gh' }, claims)],
    ])

    // Once two of two users were met in the second pass, the rest has nobody else.
    expect([all, passes]).toEqual(['abefcd', 2])
    expect(drifts).toEqual([{ kind: 'removed', page: 2, lost: 1, rereadFrom: 1, repaired: true }])
  })

  it('are not read again where the pagination did not start with the first page', async () => {
    const removed = page(3, { cat: 'ef' }, { ...claims, change: 'removed', lost: 1 })

    const { passes, drifts } = await run([[page(2, { bob: 'cd' }, claims), removed]], {}, 2)

    expect(passes).toBe(1)
    expect(drifts[0]).toEqual({ kind: 'removed', page: 3, lost: 1, rereadFrom: 2, repaired: false })
  })

  it('are given up after ten passes where things keep vanishing', async () => {
    const vanishing = [
      annPage,
      page(2, { bob: 'cd' }, { ...claims, total: 9, summary: summary(9), change: 'removed', lost: 3 }),
    ]

    const { passes, drifts, failure } = await run([vanishing])

    expect([passes, failure]).toEqual([10, undefined])
    expect(drifts).toHaveLength(11)
    expect(drifts.slice(-2)).toEqual([
      { kind: 'removed', page: 2, lost: 3, rereadFrom: 1, repaired: true },
      { kind: 'removed', page: 2, lost: 3, rereadFrom: 1, repaired: false },
    ])
  })

  it('are an error after a hundred passes that have changes and never all users', async () => {
    const growing = [annPage, page(2, { bob: 'cd' }, { ...claims, total: 9, summary: summary(9), change: 'grown' })]

    const { passes, failure } = await run([growing])

    expect(passes).toBe(100)
    expect(failure).toMatchObject({
      code: 'pagination_stalled',
      page: 1,
      callId: 'call 1',
      message:
        'Pagination does not end: after 100 passes through all pages there are still users it has not met. ' +
        'Narrow the query, or try again when less is going on.',
    })
  })

  it('are read again after an empty page that the totals contradict, nine times', async () => {
    const contradicted = page(2, {}, { ...claims, isContradicted: true })

    const empty = await run([[annPage, contradicted]])
    const unsummed = await run([[annPage, page(2, {}, { limit: 1, total: 2, isContradicted: true })]])

    expect([empty.passes, unsummed.passes]).toEqual([10, 1])
    expect(empty.drifts).toEqual([{ kind: 'short', page: 2, lost: 1, rereadFrom: undefined, repaired: false }])
  })
})
