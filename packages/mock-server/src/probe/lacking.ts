import { areBoundsConfirmed } from './confirm-bounds.ts'
import { showsZone } from './date-forms.ts'
import { tiesFollowTime, usersFollowTime } from './exclude-by-order.ts'
import { boundsNeeded } from './filter-candidates.ts'
import type { Inference } from './learn.ts'
import type { Inferable, Value } from './model/variables.ts'

/** Values as text. */
export const listOf = (values: readonly Value[]): string => values.map(String).join(', ')

/**
 * Whether ranges of dates include their start and exclude their end. A service that includes both, but stores more digits
 * than it shows, responds in the same way to every request: so does a mock with these values.
 */
export const isHalfOpen = (key: Inferable, inference: Inference): boolean => {
  const { bounds, knowledge, tracker } = inference
  const { domains } = knowledge.space
  const [start, end] = [domains.get('startDateBound'), domains.get('endDateBound')]
  return (
    (key === 'startDateBound' || key === 'endDateBound') &&
    tracker.copy.hiddenMs === 0 &&
    bounds >= boundsNeeded &&
    areBoundsConfirmed(inference) &&
    listOf(start ?? []) === 'inclusive' &&
    listOf(end ?? []) === 'exclusive'
  )
}

const boundNeeds = (key: Inferable, inference: Inference): string | undefined => {
  const { bounds } = inference
  const { copy } = inference.tracker
  if (copy.hiddenMs > 0) return 'createdAt with milliseconds: responses show whole seconds'
  if (bounds < boundsNeeded) return `${boundsNeeded} users with two transactions at different times`
  if (!areBoundsConfirmed(inference)) return 'transactions at three different times, among at most 90 in a row'
  return isHalfOpen(key, inference)
    ? 'createdAt with all digits: a service that stores more digits than it shows behaves the same'
    : undefined
}

const orderNeeds = (key: Inferable, { knowledge, tracker }: Inference): string | undefined => {
  const follows = key === 'groupOrder' ? usersFollowTime : tiesFollowTime
  return follows(knowledge, tracker.copy)
    ? undefined
    : 'a ledger whose order of entry shows in createdAt: another fixed order looks the same'
}

/** With one page only, a service that repeats its last page looks the same as one whose largest page is 1. */
const pageNeeds = ({ knowledge, tracker: { copy }, isCutShort, lacks }: Inference): string | undefined => {
  if (isCutShort) return lacks
  const isPerUser = knowledge.space.domains.get('pageUnit')?.includes('group') ?? true
  return (isPerUser ? copy.byUser.size : copy.items.length) > 1 ? undefined : 'two users with transactions'
}

/** A service may order names that differ only in case by their case, which is no order of ties. */
const nameNeeds = (value: Value | undefined, { knowledge, tracker: { copy } }: Inference): string | undefined => {
  if (value !== 'case-insensitive' || !knowledge.space.domains.get('nameOrder')?.includes('case-last')) return undefined
  const names = new Set(copy.items.map(({ entry }) => entry.name))
  const folded = new Set([...names].map((name) => name.toLowerCase()))
  return folded.size < names.size ? 'more transactions whose names differ only in case' : undefined
}

/** With one transaction for each user, pages of users and of transactions are the same. */
const isOneEach = ({ tracker: { copy } }: Inference): boolean => copy.byUser.size === copy.items.length

/** What a service may also do with times that have an offset, or with a date as the end, as far as responses tell. */
const formNeeds = (value: Value | undefined, { knowledge: { space } }: Inference): string | undefined => {
  const isOpen = (variable: string, rivals: readonly Value[]): boolean =>
    rivals.some((rival) => space.domains.get(variable)?.includes(rival))
  if (isOpen('dateTimeForms.offset', ['invalid', 'offset-ignored'])) return 'transactions before and after some time'
  return value === 'date' && isOpen('dateTimeForms.endDate', ['invalid', 'end-of-day'])
    ? 'transactions on the day of a date that is sent as the end, and after it'
    : undefined
}

/** A service that takes a time for one in another zone looks the same where no transaction is near. */
const zoneNeeds = (value: Value | undefined, { knowledge, tracker: { copy } }: Inference): string | undefined => {
  const requests = knowledge.evidence.map(({ request }) => request)
  const forms = value === 'date' ? ['noOffset', 'date'] : value === 'no-offset' ? ['noOffset'] : []
  return forms.every((form) => showsZone(copy, form, requests))
    ? undefined
    : 'transactions around such a time between April and September: in winter, London looks like UTC'
}

/** What would decide an assumption, where nothing more is known about it. */
export const needs: Readonly<Record<string, string>> = {
  pageUnit: 'a user with two transactions',
  totalUnit: 'a user with two transactions',
  groupOrder: 'more users: the order in which they appeared in the ledger looks the same',
  nameOrder: 'names that differ in more than upper and lower case at their start',
  tieOrder: 'more transactions with equal values, and random ids',
  sourceMatch: 'a source with letters, and one that contains another',
  totalValueOf: 'a transaction whose total is not its amount',
  summaryScope: 'several transactions',
  userLimit: 'a user with transactions',
  userSortBy: 'a user with several transactions that differ',
  userSortOrder: 'a user with several transactions that differ',
  notFoundWhen: 'transactions, and a page after the last one that the service accepts',
  maxPage: 'a service that responds with 200 to a page after the last one',
  dateTimeForms: 'transactions',
}

/** What is lacking to decide a value that explains everything; `undefined` if nothing is. */
export const lackingFor = (key: Inferable, value: Value | undefined, inference: Inference): string | undefined => {
  if (inference.tracker.copy.items.length === 0) return 'a ledger with transactions'
  if (key === 'startDateBound' || key === 'endDateBound') return boundNeeds(key, inference)
  if (key === 'nameOrder') return nameNeeds(value, inference)
  if (key === 'dateTimeForms') return zoneNeeds(value, inference) ?? formNeeds(value, inference)
  if ((key === 'pageUnit' || key === 'totalUnit') && isOneEach(inference)) return needs[key]
  if (value === 'ledger') return orderNeeds(key, inference)
  return key === 'maxPage' && value === 1 ? pageNeeds(inference) : undefined
}
