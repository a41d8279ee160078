import { WalkError } from '../errors/index.ts'
import type { Drift } from './options.ts'
import type { Answer, Prefetch } from './prefetch.ts'
import type { Reading } from './reading.ts'
import { createRepeats } from './repeats.ts'
import type { Rules } from './rules.ts'

/** What happened to the result between a page and the one before it. */
export type Change = 'none' | 'grown' | 'removed' | 'replaced'

/** A page in its turn. */
export interface Step<P> extends Reading<P> {
  readonly change: Change
  /** How many fewer results there are than at the page before. */
  readonly lost: number
}

const changes = { same: 'none', newer: 'grown', older: 'removed', replaced: 'replaced' } as const

const changeBetween = (before: Reading<unknown>, now: Reading<unknown>, { compare }: Rules): Change => {
  if (before.stamp && now.stamp) return changes[compare(before.stamp, now.stamp)]
  // No such page, without a word about the whole result: it has shrunk, if the page before knew of this one.
  return before.lastPage >= now.page ? 'removed' : 'none'
}

/** Whether something has vanished. */
export const isLoss = (change: Change): change is Drift['kind'] => change === 'removed' || change === 'replaced'

// A ledger that grows tenfold under the walk, or by this many pages, grows faster than it is read.
const mayGrowBy = 10
const mayGrowByPages = 1000

const outgrown = (page: number, lastPage: number) =>
  new WalkError(
    'walk_stuck',
    `The walk does not come to an end: there were ${lastPage} pages when it began, and page ${page} is not the last. ` +
      'Narrow the query, or go on from this page.',
    page,
  )

const circling = (page: number) =>
  new WalkError(
    'walk_stuck',
    `The walk goes in a circle: page ${page} is one that came before. Report it, or narrow the query.`,
    page,
  )

/**
 * Pages in order, each no older than the one before it: a page that was asked for before its turn and shows an older
 * result is asked for again. Ends with the last page there is.
 */
export async function* steps<P>(
  prefetch: Prefetch<Reading<P>>,
  first: number,
  rules: Rules,
): AsyncGenerator<Step<P>, void, void> {
  const isCircle = createRepeats()
  let before: Answer<Reading<P>> | undefined
  let mostPages = Infinity
  for (let page = first; ; page += 1) {
    let now = await prefetch.take(page)
    let change = before ? changeBetween(before.value, now.value, rules) : 'none'
    if (before && isLoss(change) && now.askedAt < before.answeredAt) {
      now = await prefetch.again(page)
      change = changeBetween(before.value, now.value, rules)
    }
    const reading = now.value
    const lost = Math.max(0, (before?.value.stamp?.total ?? 0) - (reading.stamp?.total ?? Infinity))
    const isLast = rules.isLast(reading)
    if (!isLast) prefetch.expect(Math.max(reading.lastPage, page))
    if (!before) mostPages = page + mayGrowBy * reading.lastPage + mayGrowByPages
    yield { ...reading, change, lost }
    if (isLast) return
    if (page >= mostPages) throw outgrown(page, Math.floor((mostPages - first - mayGrowByPages) / mayGrowBy))
    if (isCircle(reading)) throw circling(page)
    before = now
  }
}
