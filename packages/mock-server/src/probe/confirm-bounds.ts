import { requestOf, withinWindow } from './candidate.ts'
import { boundsNeeded } from './filter-candidates.ts'
import { learn, type Inference } from './learn.ts'
import type { Item, LedgerCopy } from './model/ledger-copy.ts'
import { groupsIn, type RawResponse } from './model/observe.ts'
import type { Value } from './model/variables.ts'
import type { Send } from './read-pages.ts'

/** Two transactions whose times are the bounds of a range, with others between. */
interface Pair {
  readonly start: Item
  readonly end: Item
}

const targets = ['startDateBound', 'endDateBound']
const maxTries = 3
const maxInRange = 90
const limit = 100
const hourMs = 3_600_000

/** Whether a time and those next to it are the same in whole seconds and in half seconds, rounded or cut off. */
const isWithinHalf = ({ at }: Item): boolean => {
  const rest = Math.floor(at) % 500
  return rest > 1 && rest < 498
}

/** A pair away from both ends of the ledger, if there is one. */
const pairIn = ({ items, hiddenMs }: LedgerCopy): Pair | undefined => {
  if (hiddenMs > 0) return undefined
  const firsts = items.filter(({ at }, i) => i === 0 || Math.floor(at) > Math.floor(items[i - 1]?.at ?? at))
  const pairs = firsts.flatMap((start, i): Pair[] => {
    const [end, after = items.length] = [firsts[i + 2], firsts[i + 3]?.index]
    return end && after - start.index <= maxInRange ? [{ start, end }] : []
  })
  const from = Math.floor(pairs.length * 0.3)
  const inOrder = [...pairs.slice(from), ...pairs.slice(0, from)]
  return inOrder.find(({ start, end }) => isWithinHalf(start) && isWithinHalf(end)) ?? inOrder[0]
}

/** The only value left of each bound. */
const boundsIn = ({ knowledge: { space } }: Inference): Value[] | undefined => {
  const bounds = targets.map((variable) => space.domains.get(variable) ?? [])
  return bounds.every(({ length }) => length === 1) ? bounds.flat() : undefined
}

/** Whether a service that ignores the offset of this text takes it for a time that changes the response. */
const startText = (time: number, isInclusive: boolean, hasOffset: boolean): string => {
  if (!hasOffset) return new Date(time).toISOString()
  const [shift, offset] = isInclusive ? [-hourMs, '-01:00'] : [hourMs, '+01:00']
  return `${new Date(time + shift).toISOString().slice(0, -1)}${offset}`
}

/** Whether a response has exactly those transactions of a pair that it must have: it has everything in the range. */
const shows = ({ status, body }: RawResponse, { start, end }: Pair, bounds: readonly Value[]): boolean => {
  const ids = (groupsIn(body) ?? []).flat().map(({ transactionId }) => transactionId)
  const isComplete = status === 200 && ids.length > 0 && ids.length < limit
  return (
    isComplete &&
    [start, end].every(({ entry }, i) => ids.includes(entry.transactionId) !== (bounds[i] === 'inclusive'))
  )
}

/** Whether the bounds that are left were confirmed. */
export const areBoundsConfirmed = (inference: Inference): boolean =>
  inference.confirmedBounds !== undefined && inference.confirmedBounds.join() === boundsIn(inference)?.join()

/**
 * Requests a range whose bounds are a millisecond beside the times of transactions, where what they match changes if the
 * service compares the times as sent. One that shifts or rounds them first responds otherwise. The start has an offset
 * if it is not known yet whether the service accepts one. Returns whether it sent something.
 */
export const confirmBounds = async (inference: Inference, send: Send): Promise<boolean> => {
  const { knowledge, tracker, conflicts } = inference
  const bounds = boundsIn(inference)
  if (inference.bounds < boundsNeeded || !bounds || areBoundsConfirmed(inference)) return false
  const pair = pairIn(tracker.copy)
  if (!pair || inference.boundTries++ >= maxTries) return false
  const [isStartIn, isEndIn] = bounds.map((bound) => bound === 'inclusive')
  const hasOffset = (knowledge.space.domains.get('dateTimeForms.offset')?.length ?? 0) > 1
  const startDate = startText(Math.floor(pair.start.at) + (isStartIn ? 1 : -1), isStartIn === true, hasOffset)
  const endDate = new Date(Math.floor(pair.end.at) + (isEndIn ? -1 : 1)).toISOString()
  const request = requestOf(null, { startDate, endDate, limit, sortBy: 'createdAt', sortOrder: 'asc' })
  const about = hasOffset ? [...targets, 'dateTimeForms.offset'] : targets
  const before = conflicts.length
  const candidate = { request: withinWindow(request, tracker.copy), targets: about }
  const response = await learn(inference, send, candidate, { isCheck: true, repeats: 0 })
  if (conflicts.length > before) inference.boundTries = maxTries
  else if (shows(response, pair, bounds)) inference.confirmedBounds = bounds
  return true
}
