import { operations, type LedgerEntry } from '@guild-ledger/sdk/contract'
import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { Ledger } from '../read/ledger.ts'
import { formsOf, invalid, iso, nobody, nothing, withOffset } from './texts.ts'

export interface Candidate {
  readonly request: ModelRequest
  /** Which kind of request it is: a service may treat kinds differently. */
  readonly place: string
}

type Query = NonNullable<ModelRequest['query']>

/** Orders and pages of list-all. */
const guildShapes: readonly Query[] = [
  { sortBy: 'name', sortOrder: 'asc', limit: '100' },
  { sortBy: 'createdAt', sortOrder: 'asc', limit: '100' },
  { sortBy: 'name', sortOrder: 'desc', limit: '100' },
  { sortBy: 'createdAt', sortOrder: 'desc', limit: '100' },
  { sortBy: 'amount', sortOrder: 'asc', limit: '100' },
  { sortBy: 'quantity', sortOrder: 'desc', limit: '100' },
  { sortBy: 'total', sortOrder: 'asc', limit: '7' },
  { sortBy: 'name', limit: '3', page: '2' },
  { sortOrder: 'asc', limit: '50' },
  { sortBy: 'quantity', limit: '2' },
]
/** Orders and pages of one user. */
const userShapes: readonly Query[] = [
  { sortBy: 'createdAt' },
  { sortBy: 'amount' },
  { sortBy: 'quantity' },
  { sortBy: 'total' },
  { sortBy: 'amount', sortOrder: 'asc', limit: '50' },
  { sortBy: 'quantity', sortOrder: 'desc', limit: '50' },
  { sortOrder: 'asc' },
  { sortOrder: 'desc', limit: '2', page: '2' },
]
/** Pages in which a request is repeated where that tells values apart. */
const pages = [{ limit: '100' }, { limit: '1', page: '2' }, { limit: '5', page: '2' }]
/** Parameters that are given twice. */
const repeats: readonly Query[] = [
  { limit: ['2', '3'] },
  { sortBy: ['quantity', 'amount'], limit: '100' },
  { sortOrder: ['asc', 'desc'], limit: '100' },
  { page: ['1', '2'], limit: '1' },
]

const day = 86_400_000

/** Some items, spread evenly, those in the middle first. */
const spread = <Item>(items: readonly Item[], count: number): Item[] => {
  const indexes = Array.from({ length: count }, (_, i) => Math.round(((i + 0.5) * items.length) / count - 0.5))
  const offCentre = (index: number) => Math.abs(index - items.length / 2)
  return [...new Set(indexes)].toSorted((a, b) => offCentre(a) - offCentre(b)).flatMap((index) => items[index] ?? [])
}

/** Requests about a ledger: ordinary ones first, and of each kind, the one that shows most. */
export const candidatesFor = (entries: readonly LedgerEntry[], window?: Ledger['window']): Candidate[] => {
  const found: Candidate[] = []
  const byUser = [...Map.groupBy(entries, ({ platformId }) => platformId)]
  const users = byUser.toSorted(([, a], [, b]) => b.length - a.length).map(([user]) => user)
  const [most = nobody] = users
  const some = [...new Set([...users.slice(0, 2), ...spread(users, 3)])]
  const sources = [...new Set(entries.flatMap(({ source }) => source || []))].toSorted((a, b) => b.length - a.length)
  const times = entries.map(({ createdAt }) => Date.parse(createdAt))
  const amounts = entries.flatMap(({ amount }) => (amount >= 0 ? amount : [])).toSorted((a, b) => a - b)

  const guild = (place: string, query: Query) => {
    // Where a service may ignore the end, the response would have transactions that are unknown.
    if (window && query['endDate'] !== undefined && /repeated|invalid|date/.test(place)) return
    found.push({ place, request: { endpoint: 'guild', query: { ...window, ...query } } })
  }
  const user = (place: string, query: Query, platformId = most) => {
    // Of users in a window, later transactions are unknown.
    if (window && platformId !== nobody) return
    found.push({ place: `user ${place}`, request: { endpoint: 'user', platformId, query } })
  }
  /** Each filter comes with another order and page, so that these are tested with filters, too. */
  let turn = 0
  const guildFilter = (place: string, query: Query) =>
    guild(place, { ...query, ...guildShapes[turn++ % guildShapes.length] })

  guild('plain', {})
  user('plain', {})
  for (const one of some) user('plain, another', {}, one)
  for (const shape of guildShapes) guild(`order ${Object.values(shape).join(' ')}`, shape)
  for (const shape of userShapes) for (const one of some) user(`order ${Object.values(shape).join(' ')}`, shape, one)
  for (const [form, texts] of formsOf(sources)) {
    for (const from of texts) {
      guild(`from, ${form}`, { from, limit: '100' })
      if (form === 'case' || form === 'tail') user(`from, ${form}`, { from, limit: '100' })
    }
  }
  const [early = 0, late = early] = [times[0], times.at(-1)]
  for (const time of spread(times, 7)) {
    guildFilter('startDate', { startDate: iso(time) })
    guildFilter('endDate', { endDate: iso(time) })
    guildFilter('startDate with an end', { startDate: iso(time), endDate: iso(late + day) })
    guildFilter('endDate with a start', { startDate: iso(early - day), endDate: iso(time) })
    guildFilter('after startDate', { startDate: iso(time + 1) })
    guildFilter('before endDate', { endDate: iso(time - 1) })
    guild('both dates', { startDate: iso(time), endDate: iso(time), limit: '100' })
    for (const name of ['startDate', 'endDate']) {
      guildFilter('offset', { [name]: withOffset(time) })
      guildFilter('no offset', { [name]: iso(time).slice(0, -1) })
      guildFilter(`${name}, only a date`, { [name]: iso(time).slice(0, 10) })
      guild(`${name} without a fraction`, { [name]: `${iso(time).slice(0, 19)}Z`, limit: '100' })
    }
  }
  for (const amount of spread(amounts, 3).map(String)) {
    guildFilter('minAmount', { minAmount: amount })
    guildFilter('maxAmount', { maxAmount: amount })
  }
  const [first = 0, second = first] = spread(amounts, 2).toSorted((a, b) => a - b)
  const range = { minAmount: String(first), maxAmount: String(second) }
  const inverted = { minAmount: String(second + 1), maxAmount: String(first) }
  for (let i = 0; i < 3; i++) user('amounts', { ...range, ...userShapes[turn++ % userShapes.length] })
  for (const one of some) guild('platformId', { platformId: one, limit: '2', page: '2' })
  guild('page beyond', { page: String(entries.length + 1), limit: '100' })
  guild('page beyond', { page: String(users.length + 1), limit: '1' })
  user('page beyond', { page: String(entries.length + 1) })
  guild('last page', { limit: '2', page: String(Math.max(1, Math.ceil(entries.length / 2))) })
  guild('unknown user', { platformId: nobody })
  user('unknown', {}, nobody)
  guild('no source, page', { from: nothing, page: '2' })
  user('no source', { from: nothing })
  guild('no amount', { minAmount: '1000000000000' })
  const inner = spread(times, 5).toSorted((a, b) => a - b)
  guild('range', { startDate: iso(inner[0] ?? 0), endDate: iso(inner.at(-1) ?? 0), limit: '2', page: '2' })
  guild('inverted dates', { startDate: iso(late + 1000), endDate: iso(early - 1000) })
  guild('inverted amounts', inverted)
  user('inverted amounts', inverted)
  guild('unlisted', { 'x-probe': '1' })
  user('unlisted', { 'x-probe': '1' })
  user('unlisted startDate', { startDate: '2999-01-01T00:00:00.000Z', limit: '50' })
  for (const query of repeats) {
    guild(`repeated ${Object.keys(query)[0]}`, query)
    user('repeated', query)
  }
  for (const [i, source] of sources.slice(0, 6).entries()) {
    const next = sources[(i + 1) % sources.length] ?? nothing
    guild('repeated from', { from: [source, next], limit: '100' })
    guild('repeated from', { from: [source, nothing], limit: '100' })
    user('repeated from', { from: [source, next], limit: '100' })
    user('repeated from', { from: [nothing, source], limit: '100' })
  }
  user('invalid sortBy name', { sortBy: 'name', limit: '50' })
  for (const [name, kinds] of Object.entries(invalid)) {
    for (const [i, [kind, texts]] of Object.entries(kinds).entries()) {
      const isForUser = i % 2 === 1 && Object.hasOwn(operations.user.query.shape, name)
      // Beside an invalid parameter, another shows what became of the request.
      const more: Query = name === 'limit' ? {} : { limit: '3' }
      for (const text of texts) (isForUser ? user : guild)(`invalid ${name} ${kind}`, { ...more, [name]: text })
    }
  }
  const firsts = new Map(found.toReversed().map((one) => [one.place, one]))
  for (const { place, request } of firsts.values())
    for (const page of pages) found.push({ place, request: { ...request, query: { ...request.query, ...page } } })
  return [...new Map(found.toReversed().map((one) => [JSON.stringify(one.request), one])).values()].toReversed()
}
