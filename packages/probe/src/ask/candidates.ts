import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Window } from '../read/ledger.ts'
import { formsOf, invalid, iso, nothing, orders, userParameters, userSorts, withOffset } from './texts.ts'

/** A request that the probe may send. */
export interface Candidate {
  readonly request: ModelRequest
  /** Which kind of request it is: a service may treat kinds differently. */
  readonly place: string
}

/** A user that nobody is. */
const nobody = 'probe-nobody'

type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>

const text = (value: string | number): string => String(value)
const toQuery = (query: Query): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value as string),
    ]),
  )

/** Some items, spread evenly. */
const spread = <Item>(items: readonly Item[], count: number): Item[] => {
  const indexes = Array.from({ length: count }, (_, i) => Math.round(((i + 0.5) * items.length) / count - 0.5))
  return [...new Set(indexes)].flatMap((index) => items[index] ?? [])
}

/** Requests for high pages. */
export const pageCandidates = (
  entries: readonly LedgerEntry[],
  pages: readonly number[],
  window?: Window,
): Candidate[] => {
  const platformId = entries[0]?.platformId ?? nobody
  return pages.flatMap((page): Candidate[] => [
    { place: 'page number', request: { endpoint: 'guild', query: { page: text(page), limit: '1', ...window } } },
    { place: 'user page number', request: { endpoint: 'user', platformId, query: { page: text(page), limit: '1' } } },
  ])
}

/** Requests about a ledger, those that show much before those that show little. */
export const candidatesFor = (entries: readonly LedgerEntry[], window?: Window): Candidate[] => {
  const found: Candidate[] = []
  const counts = new Map<string, number>()
  for (const { platformId } of entries) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
  const users = [...counts].toSorted(([, a], [, b]) => b - a).map(([user]) => user)
  const [most = nobody] = users
  const some = [...new Set([...users.slice(0, 2), ...spread(users, 3)])]
  const sources = [...new Set(entries.map(({ source }) => source))].filter((source) => source !== '').slice(0, 6)
  const times = entries.map(({ createdAt }) => Date.parse(createdAt)).toSorted((a, b) => a - b)
  const amounts = entries
    .map(({ amount }) => amount)
    .filter((amount) => amount >= 0)
    .toSorted((a, b) => a - b)
  const guild = (place: string, query: Query) => {
    // Where a service may ignore the end, the response would have transactions that are unknown.
    if (window && query['endDate'] !== undefined && /repeated|invalid|date/.test(place)) return
    found.push({ request: { endpoint: 'guild', query: toQuery({ ...window, ...query }) }, place })
  }
  const user = (place: string, platformId: string, query: Query) => {
    // Of users in a window, later transactions are unknown.
    if (window && platformId !== nobody) return
    found.push({ request: { endpoint: 'user', platformId, query: toQuery(query) }, place: `user ${place}` })
  }

  guild('plain', {})
  for (const one of some) user('plain', one, {})
  for (const sortBy of [...userSorts, 'name']) {
    for (const sortOrder of orders) {
      for (const limit of [100, 7]) guild(`sort ${sortBy}`, { sortBy, sortOrder, limit })
      guild(`sort ${sortBy} page`, { sortBy, sortOrder, limit: 3, page: 2 })
      if (sortBy !== 'name') for (const one of some) user(`sort ${sortBy}`, one, { sortBy, sortOrder, limit: 50 })
    }
    guild(`sort ${sortBy}`, { sortBy })
    if (sortBy !== 'name') user(`default order of ${sortBy}`, most, { sortBy })
  }
  for (const sortOrder of orders) {
    guild('order', { sortOrder })
    for (const one of some) user('order', one, { sortOrder })
  }
  const last = (count: number, limit: number) => Math.max(1, Math.ceil(count / limit))
  for (const limit of [1, 2, 5, 10, 50, 99, 100]) {
    guild('limit', { limit })
    user('limit', most, { limit })
    guild('page', { limit, page: 2 })
    user('page', most, { limit, page: 2 })
    guild('last page', { limit, page: last(entries.length, limit) })
  }
  const beyond = entries.length + 1
  guild('page beyond', { page: beyond, limit: 100 })
  guild('page beyond', { page: users.length + 1, limit: 1 })
  user('page beyond', most, { page: beyond })
  for (const one of [...some, nobody]) {
    guild(one === nobody ? 'unknown user' : 'platformId', { platformId: one })
    guild(one === nobody ? 'unknown user' : 'platformId', { platformId: one, limit: 2, page: 2 })
  }
  user('unknown', nobody, {})
  user('unknown', nobody, { page: 2 })
  guild('no source', { from: nothing })
  guild('no source', { from: nothing, page: 2 })
  guild('no amount', { minAmount: 1e12 })
  guild('no amount', { minAmount: 1e12, page: 2 })
  user('no source', most, { from: nothing })
  user('no amount', most, { minAmount: 1e12 })
  for (const source of sources) {
    for (const [form, from] of formsOf(source)) {
      if (from === '') continue
      guild(`from ${form}`, { from, limit: 100 })
      user(`from ${form}`, most, { from, limit: 100 })
    }
    guild('from page', { from: source, limit: 2, page: 2 })
  }
  const [first = 0, second = first] = spread(amounts, 2)
  for (const amount of spread(amounts, 3)) {
    guild('minAmount', { minAmount: amount })
    guild('maxAmount', { maxAmount: amount, limit: 5 })
    user('amounts', most, { minAmount: amount, maxAmount: amount })
  }
  for (const time of spread(times, 7)) {
    for (const shift of [0, 1, -1]) {
      guild(`startDate ${shift}`, { startDate: iso(time + shift), limit: 100 })
      guild(`endDate ${shift}`, { endDate: iso(time + shift), limit: 100 })
    }
    guild('both dates', { startDate: iso(time), endDate: iso(time), limit: 100 })
    for (const name of ['startDate', 'endDate']) {
      for (const hours of [-1, 1]) guild(`${name} offset`, { [name]: withOffset(time, hours), limit: 100 })
      guild(`${name} no offset`, { [name]: iso(time).slice(0, -1), limit: 100 })
      guild(`${name} no fraction`, { [name]: `${iso(time).slice(0, 19)}Z`, limit: 100 })
      guild(`${name} date`, { [name]: iso(time).slice(0, 10), limit: 100 })
    }
  }
  const [early = 0, late = early] = [times[Math.floor(times.length * 0.2)], times[Math.floor(times.length * 0.8)]]
  guild('range', { startDate: iso(early), endDate: iso(late), limit: 100 })
  // A service that rounds or shifts times responds in another way next to them.
  for (const shift of [1, -1])
    guild('check dates', { startDate: iso(early + shift), endDate: iso(late - shift), limit: 100 })
  guild('range page', { startDate: iso(early), endDate: iso(late), limit: 2, page: 2 })
  guild('many', { startDate: iso(early), from: sources[0] ?? nothing, minAmount: first, sortBy: 'total', limit: 4 })
  user('many', most, { from: sources[0] ?? nothing, minAmount: first, sortBy: 'total', limit: 4 })
  guild('inverted dates', { startDate: iso(late + 1000), endDate: iso(early - 1000) })
  guild('inverted amounts', { minAmount: second + 1, maxAmount: first })
  user('inverted amounts', most, { minAmount: second + 1, maxAmount: first })
  for (const [name, kinds] of Object.entries(invalid)) {
    for (const [kind, texts] of Object.entries(kinds)) {
      for (const one of texts) {
        // Beside an invalid parameter, another shows what became of the request.
        const more: Query = name === 'limit' ? {} : { limit: 3 }
        guild(`invalid ${name} ${kind}`, { ...more, [name]: one })
        if (userParameters.has(name)) user(`invalid ${name} ${kind}`, most, { ...more, [name]: one })
      }
    }
  }
  user('invalid sortBy name', most, { sortBy: 'name', limit: 50 })
  guild('unlisted', { 'x-probe': 1 })
  guild('unlisted', { 'x-probe': 1, limit: 2 })
  user('unlisted', most, { 'x-probe': 1 })
  user('unlisted startDate', most, { startDate: '2999-01-01T00:00:00.000Z', limit: 50 })
  user('unlisted platformId', most, { platformId: nobody, limit: 50 })
  guild('repeated limit', { limit: [2, 3] })
  guild('repeated limit', { limit: [4, 2] })
  guild('repeated sortBy', { sortBy: ['quantity', 'amount'], limit: 100 })
  guild('repeated sortOrder', { sortOrder: ['asc', 'desc'], limit: 100 })
  guild('repeated same', { limit: [2, 2] })
  guild('repeated page', { page: [1, 2], limit: 1 })
  user('repeated limit', most, { limit: [2, 3] })
  user('repeated sortOrder', most, { sortOrder: ['desc', 'asc'] })
  for (const [i, source] of sources.entries()) {
    const next = sources[(i + 1) % sources.length] ?? nothing
    guild('repeated from', { from: [source, next], limit: 100 })
    guild('repeated from', { from: [source, nothing], limit: 100 })
    user('repeated from', most, { from: [source, next], limit: 100 })
    user('repeated from', most, { from: [nothing, source], limit: 100 })
  }
  return [...new Map(found.map((one) => [JSON.stringify(one.request), one])).values()]
}
