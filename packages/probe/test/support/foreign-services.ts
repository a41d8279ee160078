import { assume, type AssumptionKey, type Assumptions } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createDice, largeLedger, tellingLedger, type Respond } from './random-service.ts'
import { bad, Failure, ignoring, serve, strictly, usersIn, type Group, type Query, type Rules } from './sql-service.ts'

/** A service that somebody could build from the spec, with a behaviour that no assumption describes. */
export interface Foreign {
  readonly title: string
  /** Assumptions of which it has no value: none of them may be decided. */
  readonly without: readonly string[]
  /** Its values of the others. */
  readonly values: Readonly<Record<string, unknown>>
  readonly respond: Respond
}

type Ledger = readonly LedgerEntry[]
type Create = (ledger: Ledger, usual: Rules) => Respond
type Row = readonly [title: string, without: readonly AssumptionKey[], Rules | Create, Partial<Assumptions>?]

/** A ledger by its number: 0 is one of 60 that tells most values apart, -150 is one of 150, and the others are random. */
export const ledgerOf = (seed: number): LedgerEntry[] => (seed <= 0 ? tellingLedger(-seed || 60) : largeLedger(seed))

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
const { compare: byLanguage } = new Intl.Collator('en')
const { compare: byNumbers } = new Intl.Collator('en', { numeric: true })
const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()
const isAmount = (name: string): boolean => name.endsWith('Amount')
const isDate = (name: string): boolean => name.endsWith('Date')

/** As `Number(text) || usual` and `Math.min(Math.max(…))` read a number. */
const clamped: NonNullable<Rules['read']> = (name, text, user) => {
  const value = Number(text)
  if (text === '' || Number.isNaN(value)) return strictly(name, text, user, ignoring)
  if (name === 'page') return Math.max(1, Math.round(value))
  if (name === 'limit') return Math.min(100, Math.max(1, Math.round(value)))
  return isAmount(name) ? Math.max(0, value) : strictly(name, text, user, ignoring)
}
/** A date with or without a time and an offset. */
const anyDate = (name: string, text: string): number => {
  const time = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(time) ? bad(name) : time
}
const rejectInverted = (query: Query): Query => {
  const { minAmount = 0, maxAmount = Infinity, startDate = -Infinity, endDate = Infinity } = query
  return minAmount > maxAmount || startDate > endDate ? bad('range') : query
}
const isOfEmptyLedger: Rules['isMissing'] = ({ user }, { ofUser, all }) => (user === null ? all : ofUser) === 0

/** The rules of values other than the defaults. */
const rulesOf: { readonly [Key in AssumptionKey]?: { readonly [Value in `${Assumptions[Key]}`]?: Rules } } = {
  pageUnit: { group: { pagesOfUsers: () => true } },
  groupOrder: {
    'platform-id': { groups: (groups) => groups.toSorted((a, b) => byCodeUnit(a.platformId, b.platformId)) },
  },
  tieOrder: { ledger: { ties: 'seq' } },
  nameOrder: { language: { compareNames: byLanguage } },
  sourceMatch: { contains: { from: (source, from) => source.includes(from) } },
  startDateBound: { exclusive: { startDate: 'at > ?' } },
  endDateBound: { exclusive: { endDate: 'at < ?' } },
  notFoundWhen: { 'empty-ledger': { isMissing: isOfEmptyLedger } },
  unlistedParameter: { reject: { unlisted: bad } },
  repeatedParameter: { reject: { repeated: bad }, last: { repeated: (_, texts) => texts.at(-1) } },
  invertedRange: { reject: { adapt: rejectInverted } },
  invalidParameter: { clamp: { read: clamped }, default: { read: (...sent) => strictly(...sent, ignoring) } },
}
const usualRules = (values: Partial<Assumptions>): Rules =>
  Object.assign(
    {},
    ...Object.entries(values).map(([key, value]) => rulesOf[key as 'pageUnit']?.[value as 'group']),
  ) as Rules

/** Reads some values in another way than usual; `undefined` where it is as usual. */
const reading =
  (own: (name: string, text: string, user: string | null) => number | string | undefined): Create =>
  (ledger, usual) =>
    serve(ledger, { ...usual, read: (...sent) => own(...sent) ?? (usual.read ?? strictly)(...sent) })

/** Takes a value for not sent. */
const leavingOut = (isLeftOut: (name: string, text: string) => boolean): Rules => ({
  read: (name, text, user) => (isLeftOut(name, text) ? undefined : strictly(name, text, user)),
})
/** Changes a valid limit. */
const limiting = (change: (limit: number) => number): Rules => ({
  read: (name, text, user) => {
    const value = strictly(name, text, user)
    return name === 'limit' ? change(Number(value)) : value
  },
})
/** Treats an inverted range of amounts as no matches on one of the endpoints, although it rejects others. */
const acceptingInverted = (isForUser: boolean): Rules => ({
  adapt: (query) => {
    const isInverted = (query.minAmount ?? 0) > (query.maxAmount ?? Infinity)
    return isInverted && (query.user !== null) === isForUser ? query : rejectInverted(query)
  },
})
const swapped = (query: Query): Query => {
  const { minAmount, maxAmount, startDate, endDate } = query
  if (minAmount !== undefined && maxAmount !== undefined && minAmount > maxAmount)
    return { ...query, minAmount: maxAmount, maxAmount: minAmount }
  const isInverted = startDate !== undefined && endDate !== undefined && startDate > endDate
  return isInverted ? { ...query, startDate: endDate, endDate: startDate } : query
}
/** As users are looked up without regard to case and spaces. */
const withKnownUsers = (query: Query, ledger: Ledger): Query => {
  const known = (id: string) => ledger.findLast(({ platformId }) => isSame(platformId, id))?.platformId ?? id
  const { user, platformId } = query
  return { ...query, user: user && known(user), ...(platformId !== undefined && { platformId: known(platformId) }) }
}
let turn = 0
const shuffled = (groups: readonly Group[]): readonly Group[] => createDice(++turn).shuffle(groups)
const spentBy = ({ platformId }: Group, ledger: Ledger): number =>
  ledger.reduce((sum, one) => sum + (one.platformId === platformId ? one.total : 0), 0)

const other = {
  sourceMatch: 'contains',
  invalidParameter: 'clamp',
  repeatedParameter: 'last',
  notFoundWhen: 'empty-ledger',
  tieOrder: 'ledger',
} as const
const otherKeys = Object.keys(other) as (keyof typeof other)[]
/** Two versions; `isOther` says which of them responds. */
const twoVersions =
  (isOther: (target: string, count: number) => boolean): Create =>
  (ledger) => {
    const [one, two] = [serve(ledger), serve(ledger, usualRules(other))]
    let count = 0
    return (target) => (isOther(target, count++) ? two : one)(target)
  }

const behindACache: Create = (ledger) => {
  const known = new Map<string, { at: number; response: ReturnType<Respond> }>()
  let count = 0
  return (target) => {
    const url = new URL(target, 'https://ledger.example')
    url.searchParams.sort()
    // One transaction enters the ledger with every fifth request.
    const size = Math.min(ledger.length, ledger.length - 20 + Math.floor(++count / 5))
    const fresh = known.get(url.href)
    if (fresh && count - fresh.at < 8) return fresh.response
    const response = serve(ledger.slice(0, size))(target)
    known.set(url.href, { at: count, response })
    return response
  }
}
const withReplica: Create = (ledger) => {
  const replicas = [serve(ledger), serve(ledger.slice(0, -1))] as const
  let count = 0
  return (target) => replicas[++count % 3 === 0 ? 1 : 0](target)
}
const showingRounded: Create = (ledger) => {
  const service = serve(ledger.map((entry, i) => ({ ...entry, amount: entry.amount + (((i * 37) % 89) - 44) / 100 })))
  return (target) => {
    const { status, body } = service(target)
    return {
      status,
      body: body.replace(/"amount":([\d.e-]+)/g, (_, amount) => `"amount":${Math.round(Number(amount))}`),
    }
  }
}
const shufflingEachTime: Create = (ledger, usual) => {
  const places = ledger.map((_, i) => i + 1)
  let count = 0
  const shuffledPlaces = () => createDice(count).shuffle(places).join()
  const service = serve(ledger, { ...usual, ties: () => `instr(',${shuffledPlaces()},', ',' || seq || ',')` })
  return (target) => {
    count++
    return service(target)
  }
}
const decodingTwice: Create = (ledger) => {
  const service = serve(ledger)
  return (target) => service(target.replaceAll('%2B', '%20'))
}

const services: readonly Row[] = [
  // Orders.
  ['sorts names with localeCompare, ties as they were entered', [], {}, { nameOrder: 'language', tieOrder: 'ledger' }],
  ['sorts names with the numbers in them', ['nameOrder'], { compareNames: byNumbers }, { tieOrder: 'ledger' }],
  ['sorts names with COLLATE NOCASE', ['nameOrder'], { orderBy: { name: 'name COLLATE NOCASE' } }],
  [
    'breaks ties between names by case',
    ['nameOrder'],
    { compareNames: (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()) || byCodeUnit(a, b) },
  ],
  [
    'sorts names in one direction only',
    ['nameOrder'],
    { adapt: (query) => (query.sortBy === 'name' ? { ...query, sortOrder: 'asc' } : query) },
  ],
  [
    'has pages of users, and names with the numbers in them',
    ['nameOrder'],
    { compareNames: byNumbers },
    { pageUnit: 'group' },
  ],
  [
    'sorts numbers as text',
    [],
    { orderBy: { amount: 'CAST(amount AS TEXT)', quantity: 'CAST(quantity AS TEXT)', total: 'CAST(total AS TEXT)' } },
  ],
  ['shows rounded amounts, and sorts by those that it stores', [], showingRounded],
  ['reverses the groups', ['groupOrder'], { groups: (groups) => groups.toReversed() }],
  ['orders groups at random', ['groupOrder'], { groups: shuffled }],
  [
    'orders groups by what each user spent in all',
    ['groupOrder'],
    { groups: (groups, ledger) => groups.toSorted((a, b) => spentBy(b, ledger) - spentBy(a, ledger)) },
  ],
  [
    'orders groups at random, and ties at random',
    ['groupOrder', 'tieOrder'],
    { groups: shuffled, ties: 'random_number()' },
  ],
  ['orders ties at random', ['tieOrder'], shufflingEachTime, { groupOrder: 'platform-id' }],
  ['orders ties by the latest entry', ['tieOrder'], { ties: 'seq DESC' }],
  ['orders ties by the time of creation', ['tieOrder'], { ties: 'at DESC, transactionId' }],
  [
    'orders ties by id for one user only',
    ['tieOrder'],
    { ties: ({ user }) => (user === null ? 'seq' : 'transactionId') },
  ],
  [
    'orders ties by id if it sorts by quantity',
    ['tieOrder'],
    { ties: ({ sortBy }) => (sortBy === 'quantity' ? 'transactionId' : 'seq') },
  ],
  ['lists the oldest first by default', [], { defaults: (_, user) => (user === null ? { sortOrder: 'asc' } : {}) }],
  [
    'sorts amounts of one user ascending by default',
    ['userSortOrder'],
    { defaults: ({ sortBy }, user) => (user !== null && sortBy === 'amount' ? { sortOrder: 'asc' } : {}) },
  ],

  // Filters.
  [
    'joins repeated parameters, and matches with LIKE',
    [],
    { repeated: (_, texts) => texts.join(','), from: 'source LIKE ?' },
    { repeatedParameter: 'joined', sourceMatch: 'like' },
  ],
  [
    'takes a source as a pattern of SQL',
    ['sourceMatch'],
    { from: (source, from) => new RegExp(`^${RegExp.escape(from).replaceAll('_', '.')}$`).test(source) },
  ],
  [
    'takes a source as a regular expression',
    ['sourceMatch'],
    { from: (source, from) => new RegExp(from).test(source) },
  ],
  [
    'matches any of several patterns',
    ['sourceMatch', 'repeatedParameter'],
    {
      repeated: (name, texts) => (name === 'from' ? texts.join('|') : texts[0]),
      from: (source, from) => new RegExp(from).test(source),
    },
  ],
  [
    'matches whole words of a source',
    ['sourceMatch'],
    { from: (source, from) => source === from || source.split(/[^\p{L}\p{N}]+/u).includes(from) },
  ],
  [
    'compares sources without case and accents',
    ['sourceMatch'],
    { from: (source, from) => new Intl.Collator('en', { sensitivity: 'base' }).compare(source, from) === 0 },
  ],
  ['takes commas for several sources', ['sourceMatch'], { from: (source, from) => from.split(',').includes(source) }],
  [
    'takes any of several sources',
    ['repeatedParameter'],
    {
      repeated: (name, texts) => (name === 'from' ? texts.join('\n') : texts[0]),
      from: (source, from) => from.split('\n').includes(source),
    },
  ],
  ['compares users without regard to case and spaces', [], { adapt: withKnownUsers }],
  ['swaps the ends of an inverted range', ['invertedRange'], { adapt: swapped }],
  [
    'accepts an inverted range of amounts for one user only',
    ['invertedRange'],
    acceptingInverted(true),
    { invertedRange: 'reject' },
  ],
  [
    'accepts an inverted range of amounts on list-all only',
    ['invertedRange'],
    acceptingInverted(false),
    { invertedRange: 'reject' },
  ],
  [
    'rejects inverted dates, and finds nothing for inverted amounts',
    ['invertedRange'],
    {
      adapt: ({ minAmount, maxAmount, ...query }) => ({
        ...rejectInverted(query),
        ...(minAmount !== undefined && { minAmount }),
        ...(maxAmount !== undefined && { maxAmount }),
      }),
    },
  ],

  // Dates.
  [
    'excludes the start of a range that has an end',
    ['startDateBound'],
    { startDate: ({ endDate }) => (endDate === undefined ? 'at >= ?' : 'at > ?') },
  ],
  [
    'excludes the end of a range that has a start',
    ['endDateBound'],
    { endDate: ({ startDate }) => (startDate === undefined ? 'at <= ?' : 'at < ?') },
    { startDateBound: 'exclusive' },
  ],
  [
    'excludes the start of a range without an end, and the end of each',
    ['startDateBound'],
    { startDate: ({ endDate }) => (endDate === undefined ? 'at > ?' : 'at >= ?') },
    { endDateBound: 'exclusive' },
  ],
  [
    'compares dates in whole minutes',
    ['startDateBound', 'endDateBound'],
    { startDate: 'at / 60000 >= CAST(? AS INTEGER) / 60000', endDate: 'at / 60000 <= CAST(? AS INTEGER) / 60000' },
  ],
  [
    'compares dates as text',
    ['dateTimeForms'],
    {
      read: (name, text, user) => (isDate(name) ? text : strictly(name, text, user)),
      startDate: 'createdAt >= ?',
      endDate: 'createdAt <= ?',
    },
  ],
  ['takes a plus in a time for a space', ['dateTimeForms'], decodingTwice],
  [
    'takes a date alone as endDate for the end of that day',
    [],
    reading((name, text) =>
      isDate(name) ? anyDate(name, text) + (name === 'endDate' && !text.includes('T') ? 86_399_999 : 0) : undefined,
    ),
    { dateTimeForms: 'date' },
  ],
  [
    'takes the times of filters for those of a zone two hours ahead',
    ['startDateBound', 'endDateBound'],
    reading((name, text) => (isDate(name) ? anyDate(name, text) - 7_200_000 : undefined)),
    { dateTimeForms: 'date' },
  ],
  [
    'stores more digits of a time than it shows',
    ['endDateBound', 'startDateBound'],
    {
      read: (name, text, user) => (isDate(name) ? anyDate(name, text) : strictly(name, text, user)),
      startDate: 'at + 0.001 * (1 + (seq - 1) * 7 % 998) >= ?',
      endDate: 'at + 0.001 * (1 + (seq - 1) * 7 % 998) <= ?',
    },
    { dateTimeForms: 'date' },
  ],

  // Invalid, repeated and unlisted parameters.
  [
    'clamps numbers that parseInt reads, and never rejects',
    [],
    {
      read: (name, text, user) =>
        clamped(
          name,
          /^(page|limit)$/.test(name) && /^-?\d/.test(text) ? String(Number.parseInt(text, 10)) : text,
          user,
        ),
    },
    { invalidParameter: 'clamp' },
  ],
  [
    'reads numbers with parseInt',
    ['invalidParameter'],
    reading((name, text) => {
      if (name === 'limit') return Math.min(50, Math.max(1, Number.parseInt(text, 10) || 20))
      return name === 'page' && /^\d+[a-z]/.test(text) ? Number.parseInt(text, 10) : undefined
    }),
    { maxLimit: 50, invalidParameter: 'default' },
  ],
  [
    'clamps limits and rejects dates',
    ['invalidParameter'],
    {
      read: (name, text, user) =>
        isDate(name) && Number.isNaN(Date.parse(text)) ? bad(name) : clamped(name, text, user),
    },
  ],
  [
    'takes an empty page for the first, and rejects what else is invalid',
    [],
    leavingOut((name, text) => name === 'page' && text === ''),
  ],
  ['takes any empty value for not sent, and rejects what else is invalid', [], leavingOut((_, text) => text === '')],
  [
    'ignores amounts that are negative, and rejects what else is invalid',
    [],
    leavingOut((name, text) => isAmount(name) && Number.parseFloat(text) < 0),
  ],
  [
    'responds with 422 to amounts, with nothing to dates, and with 400 to the rest',
    [],
    {
      read: (name, text, user) =>
        strictly(name, text, user, (of) => {
          if (isAmount(of)) throw new Failure(422, 'unprocessable')
          if (of === 'startDate') return Number.MAX_SAFE_INTEGER
          return of === 'endDate' ? -1 : bad(of)
        }),
    },
    { notFoundWhen: 'empty-ledger' },
  ],
  [
    'does not check amounts',
    ['invalidParameter'],
    reading((name, text) => (isAmount(name) ? Number(text) : undefined)),
    { invalidParameter: 'default' },
  ],
  [
    'takes an invalid sortOrder for desc',
    ['invalidParameter'],
    reading((name, text) => (name === 'sortOrder' && text !== 'asc' ? 'desc' : undefined)),
  ],
  [
    'takes the digits at the start of a number',
    ['invalidParameter'],
    reading((name, text) => (name === 'limit' && /^\d+\D/.test(text) ? Number.parseInt(text, 10) : undefined)),
  ],
  [
    'ignores amounts that are no numbers',
    ['invalidParameter'],
    reading((name, text) => (name === 'minAmount' && Number.isNaN(Number(text)) ? 0 : undefined)),
  ],
  [
    'ignores an invalid endDate',
    ['invalidParameter'],
    reading((name, text) =>
      name === 'endDate' && Number.isNaN(Date.parse(text)) ? Number.MAX_SAFE_INTEGER : undefined,
    ),
  ],
  [
    'takes a limit of 0 for no limit',
    [],
    {
      read: (name, text, user) => (name === 'limit' && text === '0' ? 1e9 : strictly(name, text, user)),
      body: ({ pagination }) =>
        void (pagination.limit === 1e9 && Object.assign(pagination, { limit: 0, totalPages: 1 })),
    },
  ],
  [
    'takes a page below 1 for the first, and shows it as it was sent',
    [],
    reading((name, text) => (name === 'page' && /^(0|-\d+)$/.test(text) ? Number(text) : undefined)),
  ],
  [
    'takes sortBy and sortOrder in any case',
    [],
    {
      read: (name, text, user) =>
        strictly(name, name === 'sortOrder' || isSame(text, 'name') ? text.toLowerCase() : text, user, (of) => {
          const found = ['amount', 'quantity', 'total', 'createdAt'].find((one) => isSame(one, text))
          return of === 'sortBy' ? (found ?? bad(of)) : bad(of)
        }),
    },
  ],
  [
    'sorts by an unknown field as if by createdAt, and rejects what else is invalid',
    [],
    { read: (name, text, user) => strictly(name, text, user, (of) => (of.startsWith('sort') ? undefined : bad(of))) },
  ],
  [
    'rejects invalid values for one user only',
    ['invalidParameter'],
    { read: (name, text, user) => strictly(name, text, user, user === null ? ignoring : bad) },
  ],
  [
    'responds with 200 to what it rejects',
    ['invalidParameter', 'unlistedParameter', 'repeatedParameter', 'invertedRange', 'notFoundWhen'],
    { status: () => 200 },
    { unlistedParameter: 'reject', repeatedParameter: 'reject', invertedRange: 'reject' },
  ],
  [
    'rejects sortBy if it is given twice',
    ['repeatedParameter'],
    { repeated: (name, [text]) => (name === 'sortBy' ? bad(name) : text) },
  ],
  [
    'responds with 500 to repeated parameters, as Express with SQLite',
    ['repeatedParameter'],
    {
      repeated: () => {
        throw new TypeError('cannot bind an array')
      },
    },
  ],
  [
    'rejects unlisted parameters of the guild only',
    ['unlistedParameter'],
    { unlisted: (name, user) => void (user === null && bad(name)) },
  ],
  [
    'ignores unknown names for one user, and rejects others',
    ['unlistedParameter'],
    { unlisted: (name, user) => void ((user === null || name !== 'x-probe') && bad(name)) },
    { unlistedParameter: 'reject' },
  ],
  [
    'takes dates on the one-user endpoint, though the spec lists none',
    ['unlistedParameter'],
    {
      unlisted: (name, user, text) => {
        if (user !== null && name === 'startDate' && Date.parse(text) >= Date.UTC(2900, 0))
          throw new Failure(404, 'No transactions found for this user')
      },
    },
  ],

  // Pages and limits.
  [
    'counts pages from 0',
    ['maxPage'],
    reading((name, text) => (name === 'page' && /^\d*$/.test(text) ? Number(text) + 1 : undefined)),
  ],
  [
    'has a largest page on list-all only',
    ['maxPage'],
    { adapt: (query) => (query.user === null && query.page > 10 ? bad('page') : query) },
  ],
  [
    'rejects pages after the first 200 items',
    ['maxPage'],
    { adapt: (query) => ((query.page - 1) * query.limit >= 200 ? bad('page') : query) },
  ],
  [
    'has pages of at most 50, whatever the limit',
    ['invalidParameter'],
    reading((name, text) => (name === 'limit' && Number(text) > 50 ? 50 : undefined)),
    { maxLimit: 50 },
  ],
  ['rounds the limit up to tens', [], limiting((limit) => Math.ceil(limit / 10) * 10)],
  ['rounds the limit down to a power of two', ['maxLimit'], limiting((limit) => 2 ** Math.floor(Math.log2(limit)))],
  ['has pages of at least 10', [], limiting((limit) => Math.max(10, limit))],
  [
    'has pages of transactions if they are of one user',
    ['pageUnit'],
    {
      pagesOfUsers: ({ platformId }) => platformId === undefined,
      body: ({ pagination }, { user, platformId }) =>
        void (user === null && platformId !== undefined && Object.assign(pagination, { total: 1, totalPages: 1 })),
    },
    { pageUnit: 'group' },
  ],

  // What nothing found and totals look like.
  [
    'responds to a page after the last with the last page',
    ['notFoundWhen'],
    { pageOf: (page, totalPages) => Math.min(page, totalPages) },
  ],
  [
    'rejects pages after the last with 404 for the guild only',
    ['notFoundWhen'],
    { isMissing: ({ user }, { matching, onPage }) => (user === null ? onPage : matching) === 0 },
  ],
  [
    'has no page after the last, and ignores a wrong limit',
    ['notFoundWhen', 'invalidParameter'],
    {
      read: (name, text, user) => (name === 'limit' && !/^\d{1,2}$|^100$/.test(text) ? 20 : strictly(name, text, user)),
      isMissing: (query, counts) =>
        (query.page > 1 && (query.page - 1) * query.limit >= counts.matching) || isOfEmptyLedger(query, counts),
    },
    { notFoundWhen: 'empty-ledger' },
  ],
  [
    'responds with 404 for the guild, and with an empty list for a user',
    ['notFoundWhen'],
    { isMissing: ({ user }, { matching }) => user === null && matching === 0 },
  ],
  [
    'responds with 404 to a filter for an unknown user',
    ['notFoundWhen'],
    { isMissing: (_, { ofUser }) => ofUser === 0 },
    { notFoundWhen: 'empty-ledger' },
  ],
  [
    'responds with 200 and an error body where nothing is found',
    ['notFoundWhen'],
    { status: (status) => (status === 404 ? 200 : status) },
  ],
  [
    'stops counting at 100',
    [],
    { body: ({ pagination }) => void (pagination.total = Math.min(100, pagination.total)) },
  ],
  [
    'has a summary without the newest transaction',
    ['summaryScope'],
    { body: ({ summary }, _, { length }) => void (summary && (summary.totalTransactions = Math.max(0, length - 1))) },
  ],
  [
    'has totals from a cache',
    ['summaryScope'],
    {
      body: (body, _, ledger) => {
        const known = ledger.slice(0, 49)
        const totalValue = known.reduce((sum, { total }) => sum + total, 0)
        if (body.summary) body.summary = { totalTransactions: known.length, totalValue, uniqueUsers: 3 }
      },
    },
  ],
  [
    'counts the users of the guild whatever the filters',
    ['summaryScope'],
    { body: ({ summary }, _, ledger) => void (summary && (summary.uniqueUsers = usersIn(ledger).length)) },
  ],
  [
    'sums up a mean instead of a total',
    ['totalValueOf'],
    {
      body: ({ summary }) => {
        if (summary && summary.totalTransactions > 1)
          summary.totalValue = Math.round((summary.totalValue / summary.totalTransactions) * 1000) / 1000 + 0.001
      },
    },
  ],

  // Several services behind one address.
  [
    'has another version for one user',
    otherKeys,
    twoVersions((target) => !target.startsWith('/guild/ledger/transactions')),
  ],
  ['is two versions that take turns', otherKeys, twoVersions((_, count) => count % 2 === 1)],
  ['is behind a cache that ignores the order of parameters', [], behindACache],
  ['has two replicas of which one lags behind', [], withReplica],
]

/** All foreign services with a ledger. Each is made when it is first asked. */
export const foreignServicesFor = (ledger: Ledger): Foreign[] =>
  services.map(([title, without, rules, values = {}]) => {
    const usual = usualRules(values)
    let service: Respond | undefined
    const create = () => (typeof rules === 'function' ? rules(ledger, usual) : serve(ledger, { ...usual, ...rules }))
    const respond: Respond = (target) => (service ??= create())(target)
    return { title, without, values: { ...assume(), ...values }, respond }
  })
