import { parameters, type LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Ledger } from '../read/ledger.ts'
import { guildShapes, repeats, userShapes, type Candidate, type Query } from './candidate.ts'
import { formsOf, invalid, iso, nobody, nothing, orders, userSorts, withOffset } from './texts.ts'

const text = (value: string | number): string => String(value)
const toQuery = (query: Query): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value as string),
    ]),
  )

const day = 86_400_000

/** Some items, spread evenly, those in the middle first. */
const spread = <Item>(items: readonly Item[], count: number): Item[] => {
  const indexes = Array.from({ length: count }, (_, i) => Math.round(((i + 0.5) * items.length) / count - 0.5))
  const middle = items.length / 2
  return [...new Set(indexes)]
    .toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .flatMap((index) => items[index] ?? [])
}

/** Requests about a ledger. In each kind of situation, the one that shows most comes first. */
export const candidatesFor = (entries: readonly LedgerEntry[], window?: Ledger['window']): Candidate[] => {
  const found: Candidate[] = []
  const counts = new Map<string, number>()
  for (const { platformId } of entries) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
  const users = [...counts].toSorted(([, a], [, b]) => b - a).map(([user]) => user)
  const [most = nobody] = users
  const some = [...new Set([...users.slice(0, 2), ...spread(users, 3)])]
  const sources = [...new Set(entries.map(({ source }) => source))]
    .filter((source) => source !== '')
    .toSorted((a, b) => b.length - a.length)
  const times = entries.map(({ createdAt }) => Date.parse(createdAt)).toSorted((a, b) => a - b)
  const amounts = entries
    .map(({ amount }) => amount)
    .filter((amount) => amount >= 0)
    .toSorted((a, b) => a - b)
  const guild = (place: string, query: Query, tests?: readonly string[]) => {
    // Where a service may ignore the end, the response would have transactions that are unknown.
    if (window && query['endDate'] !== undefined && /repeated|invalid|date/.test(place)) return
    found.push({
      request: { endpoint: 'guild', query: toQuery({ ...window, ...query }) },
      place,
      ...(tests && { tests }),
    })
  }
  const user = (place: string, platformId: string, query: Query, tests?: readonly string[]) => {
    // Of users in a window, later transactions are unknown.
    if (window && platformId !== nobody) return
    found.push({
      request: { endpoint: 'user', platformId, query: toQuery(query) },
      place: `user ${place}`,
      ...(tests && { tests }),
    })
  }

  /** The same request in other shapes: each filter comes with another order and page, so that both are tested at once. */
  let turn = 0
  const shaped = (
    send: (shape: Query, tests: readonly string[]) => void,
    all: readonly Query[],
    place: string,
  ): void => {
    const shape = all[turn++ % all.length] ?? {}
    send(shape, [place, `${all === userShapes ? 'user ' : ''}shape ${JSON.stringify(shape)}`])
  }
  const guildFilter = (place: string, query: Query) =>
    shaped((shape, tests) => guild(place, { ...query, ...shape }, tests), guildShapes, place)
  const userFilter = (place: string, query: Query) =>
    shaped((shape, tests) => user(place, most, { ...query, ...shape }, tests), userShapes, `user ${place}`)

  guild('plain', {})
  for (const [i, one] of some.entries()) user(i === 0 ? 'plain' : 'plain, another', one, {})
  for (const shape of guildShapes) guild('order', shape, [`shape ${JSON.stringify(shape)}`])
  for (const shape of userShapes)
    for (const one of some) user('order', one, shape, one === most ? [`user shape ${JSON.stringify(shape)}`] : [])
  for (const sortBy of userSorts)
    for (const sortOrder of orders) user('order', most, { sortBy, sortOrder, limit: 50 }, [])
  for (const [form, texts] of formsOf(sources)) {
    for (const from of texts) {
      guild(`from, ${form}`, { from, limit: 100 }, / in /.test(form) ? [] : undefined)
      user(`from, ${form}`, most, { from, limit: 100 }, ['case', 'tail'].includes(form) ? undefined : [])
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
    guild('both dates', { startDate: iso(time), endDate: iso(time), limit: 100 })
    for (const name of ['startDate', 'endDate']) {
      guildFilter('offset', { [name]: withOffset(time, 330) })
      guild('offset', { [name]: withOffset(time, -60), limit: 100 }, [])
      guildFilter('no offset', { [name]: iso(time).slice(0, -1) })
      guildFilter(`${name}, only a date`, { [name]: iso(time).slice(0, 10) })
      guild(`${name} without a fraction`, { [name]: `${iso(time).slice(0, 19)}Z`, limit: 100 }, [])
    }
    guild('startDate', { startDate: iso(time - 1), limit: 100 }, [])
    guild('endDate', { endDate: iso(time + 1), limit: 100 }, [])
  }
  for (const amount of spread(amounts, 3)) {
    guildFilter('minAmount', { minAmount: amount })
    guildFilter('maxAmount', { maxAmount: amount })
    user('amounts', most, { minAmount: amount, maxAmount: amount }, [])
  }
  for (const one of some) {
    guild('platformId', { platformId: one }, [])
    guild('platformId', { platformId: one, limit: 2, page: 2 }, one === most ? undefined : [])
  }
  for (const limit of [99, 1, 2, 5, 10]) {
    guild('page', { limit, page: 2 }, [])
    user('page', most, { limit, page: 2 }, [])
    guild('last page', { limit, page: Math.max(1, Math.ceil(entries.length / limit)) }, [])
  }
  guild('page beyond', { page: entries.length + 1, limit: 100 })
  guild('page beyond', { page: users.length + 1, limit: 1 })
  user('page beyond', most, { page: entries.length + 1 })
  guild('unknown user', { platformId: nobody })
  guild('unknown user', { platformId: nobody, page: 2 }, [])
  user('unknown', nobody, {})
  user('unknown', nobody, { page: 2 }, [])
  guild('no source', { from: nothing }, [])
  guild('no source, page', { from: nothing, page: 2 })
  user('no source', most, { from: nothing }, [])
  guild('no amount', { minAmount: 1e12 }, [])
  user('no amount', most, { minAmount: 1e12 }, [])
  for (const source of sources.slice(0, 6)) guild('from, page', { from: source, limit: 2, page: 2 }, [])
  const [first = 0, second = first] = spread(amounts, 2).toSorted((a, b) => a - b)
  for (let i = 0; i < 3; i++) userFilter('amounts', { minAmount: first, maxAmount: second })
  const inner = spread(times, 5).toSorted((a, b) => a - b)
  guild('range, page', { startDate: iso(inner[0] ?? 0), endDate: iso(inner.at(-1) ?? 0), limit: 2, page: 2 }, [])
  const many = { from: sources[0] ?? nothing, minAmount: first, sortBy: 'total', limit: 4 }
  guild('many', { startDate: iso(inner[0] ?? 0), ...many }, [])
  user('many', most, many, [])
  guild('inverted dates', { startDate: iso(late + 1000), endDate: iso(early - 1000) })
  guild('inverted amounts', { minAmount: second + 1, maxAmount: first })
  user('inverted amounts', most, { minAmount: second + 1, maxAmount: first })
  const kinds = [...new Set(Object.values(invalid).flatMap(Object.keys))]
  for (const [i, kind] of kinds.entries()) {
    const own = Object.entries(invalid).flatMap(([name, all]) => (all[kind] ? [{ name, texts: all[kind] }] : []))
    const forUser = own.filter(({ name }) => parameters[name as 'page'].schemas.user)
    const joint = (all: typeof own) => ({
      query: Object.fromEntries(all.map(({ name, texts }) => [name, texts[0] ?? ''])),
      tests: all.flatMap(({ name }) => [`invalid ${name} ${kind}`, `invalid ${name}`]),
    })
    const [both, ofUser] = [joint(own), joint(forUser)]
    guild('several invalid', both.query, both.tests)
    user(
      'several invalid',
      most,
      ofUser.query,
      ofUser.tests.map((test, j) => (j % 2 ? `user ${test}` : test)),
    )
    for (const [j, { name, texts }] of own.entries()) {
      const place = `invalid ${name} ${kind}`
      // Beside an invalid parameter, another shows what became of the request.
      const more: Query = name === 'limit' ? {} : { limit: 3 }
      const sends = [
        () => texts.map((one) => guild(place, { ...more, [name]: one }, [place, `invalid ${name}`])),
        () => texts.map((one) => user(place, most, { ...more, [name]: one }, [place, `user invalid ${name}`])),
      ].slice(0, forUser.some((one) => one.name === name) ? 2 : 1)
      for (const send of (i + j) % 2 === 0 ? sends : sends.toReversed()) send()
    }
  }
  user('invalid sortBy name', most, { sortBy: 'name', limit: 50 })
  guild('unlisted', { 'x-probe': 1 })
  user('unlisted', most, { 'x-probe': 1 })
  user('unlisted startDate', most, { startDate: '2999-01-01T00:00:00.000Z', limit: 50 })
  user('unlisted platformId', most, { platformId: nobody, limit: 50 }, [])
  for (const [i, query] of repeats.entries()) {
    guild(`repeated ${Object.keys(query)[0]}`, query, i < 2 ? undefined : [])
    user('repeated', most, query, i === 0 ? undefined : [])
  }
  guild('repeated limit', { limit: [4, 2] }, [])
  guild('repeated limit', { limit: [2, 2] }, [])
  for (const [i, source] of sources.slice(0, 6).entries()) {
    const next = sources[(i + 1) % sources.length] ?? nothing
    guild('repeated from', { from: [source, next], limit: 100 })
    guild('repeated from', { from: [source, nothing], limit: 100 })
    user('repeated from', most, { from: [source, next], limit: 100 })
    user('repeated from', most, { from: [nothing, source], limit: 100 })
  }
  return [...new Map(found.map((one) => [JSON.stringify(one.request), one])).values()]
}
