import { describe, expect, it, vi } from 'vitest'
import type { Summary } from '../contract/index.ts'
import type { Drift } from './options.ts'
import type { OrderedPage } from './ordered-pages.ts'
import type { Unit } from './page-result.ts'
import { createTally } from './tally.ts'

const summary = (totalTransactions: number, uniqueUsers: number): Summary => ({
  totalTransactions,
  uniqueUsers,
  totalValue: 1,
})
const pageOf = (page: number, total: number, of?: Summary, isContradicted = false) =>
  ({ page, limit: 2, version: { total, summary: of }, isContradicted }) as unknown as OrderedPage<unknown>

interface Memory {
  readonly unit?: Unit
  readonly users?: number
  readonly unexplained?: number
}

/** How many are reported as missing at the end, on which page; undefined where nothing is reported. */
const missing = (
  { unit, users = 0, unexplained = 0 }: Memory,
  pages: readonly OrderedPage<unknown>[],
  yielded: number,
  { first = 1, lost = 0 } = {},
) => {
  const onDrift = vi.fn<(drift: Drift) => void>()
  const tally = createTally({ unit, users, unexplained }, first, onDrift)
  for (const page of pages) tally.read(page)
  tally.yielded(1)
  tally.yielded(yielded - 1)
  if (lost > 0) tally.report({ kind: 'removed', page: 1, lost, rereadFrom: 1, repaired: true })
  tally.end()
  const [drift] = onDrift.mock.calls.slice(lost > 0 ? 1 : 0).flat()
  return drift
}
const short = (page: number, lost: number) => ({ kind: 'short', page, lost, rereadFrom: undefined, repaired: false })

describe('what is missing at the end', () => {
  const pages = [pageOf(1, 5), pageOf(2, 5), pageOf(3, 5)]

  it('is nothing where as much was yielded as the first response counted, or more', () => {
    expect(missing({ unit: 'transaction' }, pages, 5)).toBeUndefined()
    expect(missing({ unit: 'transaction' }, pages, 6)).toBeUndefined()
  })

  it('is what the first response counted and was neither yielded nor reported as lost', () => {
    expect(missing({ unit: 'transaction' }, pages, 3)).toEqual(short(3, 2))
    expect(missing({ unit: 'transaction' }, pages, 3, { lost: 1 })).toEqual(short(3, 1))
    expect(missing({ unit: 'transaction' }, pages, 3, { lost: 2 })).toBeUndefined()
    expect(missing({ unit: 'transaction' }, [pageOf(1, 5), pageOf(2, 1)], 3)).toEqual(short(2, 2))
  })

  it('does not count what precedes the first page', () => {
    expect(missing({ unit: 'transaction' }, pages, 3, { first: 2 })).toBeUndefined()
    expect(missing({ unit: 'transaction' }, pages, 2, { first: 2 })).toEqual(short(3, 1))
  })

  it('is at least as much as came again without a reason', () => {
    expect(missing({ unit: 'transaction', unexplained: 2 }, pages, 5)).toEqual(short(3, 2))
    expect(missing({ unit: 'transaction', unexplained: 1 }, pages, 3)).toEqual(short(3, 2))
  })

  it('is counted by the summary where the total counts users and pages count transactions', () => {
    const ofUsers = [pageOf(1, 2, summary(5, 2)), pageOf(2, 2, summary(5, 2))]

    expect(missing({ unit: 'transaction' }, ofUsers, 5)).toBeUndefined()
    expect(missing({ unit: 'transaction' }, ofUsers, 4)).toEqual(short(2, 1))
    // As much as the total says, and it may be transactions that it counts.
    expect(missing({ unit: 'transaction' }, ofUsers, 2)).toBeUndefined()
  })

  it('does not take transactions that were added for more than the total counted', () => {
    const grown = [pageOf(1, 2, summary(5, 2)), pageOf(2, 4, summary(7, 4)), pageOf(3, 3, summary(6, 3))]

    expect(missing({ unit: 'transaction' }, grown, 4)).toBeUndefined()
    expect(missing({ unit: 'transaction' }, grown, 5)).toBeUndefined()
  })

  it('is users where pages count them', () => {
    const ofUsers = [pageOf(1, 9, summary(9, 4))]

    expect(missing({ unit: 'group', users: 4 }, ofUsers, 7)).toBeUndefined()
    expect(missing({ unit: 'group', users: 3 }, ofUsers, 9)).toEqual(short(1, 1))
    expect(missing({ unit: 'group', users: 1, unexplained: 9 }, ofUsers, 9, { first: 2 })).toEqual(short(1, 1))
    expect(missing({ unit: 'group', users: 5 }, ofUsers, 9)).toBeUndefined()
  })

  it('is as little as the total allows where no summary says whether it counts users or transactions', () => {
    const unknown = [pageOf(1, 6)]

    expect(missing({ unit: 'group', users: 3 }, unknown, 6)).toBeUndefined()
    expect(missing({ unit: 'group', users: 6 }, unknown, 9)).toBeUndefined()
    expect(missing({ unit: 'group', users: 3 }, unknown, 5)).toEqual(short(1, 1))
    expect(missing({ unit: 'group', users: 5 }, unknown, 4)).toEqual(short(1, 1))
    expect(missing({ unit: 'group', users: 1 }, unknown, 1, { first: 2 })).toBeUndefined()
  })

  it('is nothing that can be known where the first response had no totals', () => {
    const none = { ...pageOf(1, 0), version: undefined }

    expect(missing({ unit: 'transaction', unexplained: 3 }, [none, pageOf(2, 9)], 1)).toBeUndefined()
    expect(missing({ unit: 'transaction' }, [], 1)).toBeUndefined()
  })
})

describe('an empty page although the totals say that there is more', () => {
  const contradicted = (total: number, of?: Summary) => [
    pageOf(1, total, of),
    pageOf(2, total, of, true),
    pageOf(3, total, of),
  ]

  it('is reported at the end, though nothing is missing', () => {
    expect(missing({ unit: 'transaction' }, contradicted(5), 6)).toEqual(short(3, 0))
    expect(missing({ unit: 'group', users: 2 }, contradicted(5, summary(5, 2)), 5)).toEqual(short(3, 0))
  })

  it('is explained by a total that counts transactions, if all of them were yielded and no summary says otherwise', () => {
    expect(missing({ unit: 'group', users: 2 }, contradicted(5), 5)).toBeUndefined()
  })

  it('does not matter if it was in an earlier pass', () => {
    const onDrift = vi.fn<(drift: Drift) => void>()
    const tally = createTally({ unit: 'group', users: 5, unexplained: 0 }, 1, onDrift)
    for (const page of contradicted(5)) tally.read(page)
    tally.yielded(9)

    tally.nextPass()
    tally.read(pageOf(1, 5))
    tally.end()

    expect(onDrift).not.toHaveBeenCalled()
  })
})

it('a tally works without a listener', () => {
  const tally = createTally({ unit: 'transaction', users: 0, unexplained: 0 }, 1, undefined)
  tally.read(pageOf(1, 5))

  expect(() => {
    tally.report({ kind: 'removed', page: 1, lost: 1, rereadFrom: 1, repaired: true })
    tally.end()
  }).not.toThrow()
})
