import { expect, it } from 'vitest'
import type { LedgerEntry } from '../contract/index.ts'
import { backfill } from './backfill.ts'
import type { Deduplicator } from './deduplicate.ts'
import type { OrderedPage } from './ordered-pages.ts'
import type { PageResult } from './page-result.ts'

const entriesOf = (letters: string) => Array.from(letters, (transactionId) => ({ transactionId }) as LedgerEntry)

/** Knows the transactions of these letters; may have forgotten those of pages from `forgotten` down. */
const memoryOf = (known: string, forgotten = 0) => {
  const isKnown = ({ transactionId }: LedgerEntry) => known.includes(transactionId)
  return {
    knows: isKnown,
    add: (entries: readonly LedgerEntry[]) => entries.filter((entry) => !isKnown(entry)),
    mayHaveForgotten: (page: number) => page <= forgotten,
  } as unknown as Deduplicator
}

interface Given {
  /** Number of the current page, and what is on it. */
  readonly page: number
  readonly letters?: string
  /** What the earlier pages have, from page 1 on. */
  readonly pages: readonly string[]
  readonly known?: string
  readonly forgotten?: number
  readonly toTheFirst?: boolean
  readonly first?: number
  readonly budget?: number
  /** The last page by the response; undefined where it does not say. */
  readonly lastPage?: number
}

const run = async (given: Given) => {
  const { page, letters = 'z', pages, known = '', forgotten = 0, toTheFirst = false, first = 1 } = given
  const { budget = Infinity, lastPage } = given
  const read: number[] = []
  const entries = entriesOf(letters)
  const current = { page, entries, count: entries.length, version: lastPage && { total: 9 }, lastPage: lastPage ?? 0 }
  const found = await backfill(
    current as unknown as OrderedPage<unknown>,
    toTheFirst,
    first,
    memoryOf(known, forgotten),
    async (n) => {
      if (read.length === budget) return undefined
      read.push(n)
      return { entries: entriesOf(pages[n - 1] ?? '') } as PageResult<unknown>
    },
  )
  return { ...found, entries: found.entries.map(({ transactionId }) => transactionId).join(''), read }
}

it.each<[string, Given, object]>([
  [
    'reads nothing again where the page has a transaction that was yielded',
    { page: 3, letters: 'ez', pages: ['ab', 'cd'], known: 'abcde' },
    { entries: '', from: undefined, isComplete: true, read: [] },
  ],
  [
    'reads the pages before it backwards until one has a transaction that was yielded, and returns the new ones in order',
    { page: 4, pages: ['ab', 'cx', 'yw'], known: 'abc' },
    { entries: 'xyw', from: 2, isComplete: true, read: [3, 2] },
  ],
  [
    'ends with the first page of the pagination',
    { page: 4, pages: ['ab', 'vx', 'yw'], first: 2 },
    { entries: 'vxyw', from: 2, isComplete: true, read: [3, 2] },
  ],
  [
    'reads on to the first page, whatever was yielded, where that is asked for',
    { page: 3, letters: 'ez', pages: ['ax', 'cy'], known: 'ace', toTheFirst: true },
    { entries: 'xy', from: 1, isComplete: true, read: [2, 1] },
  ],
  [
    'is not complete where the budget is used up',
    { page: 4, pages: ['uv', 'wx', 'yz'], budget: 2 },
    { entries: 'wxyz', from: 2, isComplete: false, read: [3, 2] },
  ],
  [
    'has read nothing where there is no budget at all',
    { page: 4, pages: ['uv', 'wx', 'yz'], budget: 0 },
    { entries: '', from: undefined, isComplete: false, read: [] },
  ],
  [
    'does not read pages of which transactions may have been forgotten',
    { page: 4, pages: ['uv', 'wx', 'yz'], forgotten: 2 },
    { entries: 'yz', from: 3, isComplete: false, read: [3] },
  ],
  [
    'begins with the last page there is by now where its own is gone',
    { page: 6, letters: '', pages: ['ab', 'cx', 'yz', '', ''], known: 'abc', lastPage: 3 },
    { entries: 'xyz', from: 2, isComplete: true, read: [3, 2] },
  ],
  [
    'begins with the page before it where the response does not say how many there are',
    { page: 4, letters: '', pages: ['ab', 'cx', 'yz'], known: 'abc' },
    { entries: 'xyz', from: 2, isComplete: true, read: [3, 2] },
  ],
  [
    'begins with the page before it where its own has transactions, whatever the last page is',
    { page: 4, pages: ['ab', 'cx', 'yz'], known: 'abc', lastPage: 1 },
    { entries: 'xyz', from: 2, isComplete: true, read: [3, 2] },
  ],
])('%s', async (_, given, expected) => {
  expect(await run(given)).toEqual(expected)
})
