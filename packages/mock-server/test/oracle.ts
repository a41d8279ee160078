/**
 * The service once more, as plainly as the document puts it and slow: arrays, filter, sort. It shares no code with the
 * mock, so that neither can hide a mistake of the other.
 */

export interface OracleRow {
  platformId: string
  transactionId: string
  amount: number
  quantity: number
  name: string
  source: string
  total: number
  createdAt: string
}

export interface OracleQuestion {
  /** The user of the one-user endpoint; `null` for list-all. */
  user: string | null
  /** Parameters as sent. */
  query: [name: string, text: string][]
}

/** Readings by name; the tests give all of them. */
export type Readings = Record<string, unknown>

interface Wanted {
  page: number
  limit: number
  sortBy: string
  sortOrder: string
  platformId?: string
  from?: string
  minAmount?: number
  maxAmount?: number
  startDate?: number
  endDate?: number
}

interface Outcome {
  status: number
  /** `undefined` where the document has no words for it. */
  body: unknown
}

const bad: Outcome = { status: 400, body: undefined }
const listAllParameters = 'page limit platformId from minAmount maxAmount startDate endDate sortBy sortOrder'.split(' ')
const oneUserParameters = 'page limit from minAmount maxAmount sortBy sortOrder'.split(' ')

/** The value of a text; the nearest allowed one where there is such a thing; else nothing. */
const reading = (name: string, text: string, user: string | null, readings: Readings) => {
  const decimal = /^-?[0-9]+(\.[0-9]+)?(e[0-9]+)?$/.test(text) ? Number(text) : NaN
  const integer = /^-?[0-9]+$/.test(text) ? Number(text) : NaN
  if (name === 'page') {
    const most = (readings['maxPage'] as number | null) ?? Infinity
    return { value: integer, valid: integer >= 1 && integer <= most, nearest: integer < 1 ? 1 : most }
  }
  if (name === 'limit') return { value: integer, valid: integer >= 1 && integer <= 100, nearest: integer < 1 ? 1 : 100 }
  if (name.endsWith('Amount')) return { value: decimal, valid: decimal >= 0, nearest: 0 }
  if (name.endsWith('Date')) return { value: Date.parse(text), valid: !Number.isNaN(Date.parse(text)) }
  if (name === 'sortOrder') return { value: text, valid: text === 'asc' || text === 'desc' }
  if (name === 'sortBy') {
    const fields = ['amount', 'quantity', 'total', 'createdAt', ...(user === null ? ['name'] : [])]
    return { value: text, valid: fields.includes(text) }
  }
  return { value: text, valid: true }
}

const wantedBy = ({ user, query }: OracleQuestion, readings: Readings): Wanted | undefined => {
  const { userLimit: limit, userSortBy: sortBy, userSortOrder: sortOrder } = readings
  const wanted: Record<string, unknown> =
    user === null
      ? { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' }
      : { page: 1, limit, sortBy, sortOrder }
  for (const [name] of query) {
    const listed = (user === null ? listAllParameters : oneUserParameters).includes(name)
    if (!listed && readings['unlistedParameter'] === 'reject') return undefined
    if (!listed) continue
    const texts = query.filter(([other]) => other === name).map(([, text]) => text)
    if (texts.length > 1 && readings['repeatedParameter'] === 'reject') return undefined
    const text = readings['repeatedParameter'] === 'last' ? texts[texts.length - 1] : texts[0]
    const { value, valid, nearest } = reading(name, text ?? '', user, readings)
    if (valid) wanted[name] = value
    else if (readings['invalidParameter'] === 'reject') return undefined
    else if (readings['invalidParameter'] === 'clamp' && nearest !== undefined && !Number.isNaN(value)) {
      wanted[name] = nearest
    }
  }
  const inverted =
    Number(wanted['minAmount']) > Number(wanted['maxAmount']) || Number(wanted['startDate']) > Number(wanted['endDate'])
  return inverted && readings['invertedRange'] === 'reject' ? undefined : (wanted as unknown as Wanted)
}

const sourceFits = (source: string, from: string, rule: unknown): boolean => {
  if (rule === 'contains') return source.indexOf(from) >= 0
  return rule === 'exact' ? source === from : source.toUpperCase() === from.toUpperCase()
}

const filtered = (rows: OracleRow[], user: string | null, wanted: Wanted, readings: Readings) =>
  rows.filter((row) => {
    const at = Date.parse(row.createdAt)
    const { platformId = row.platformId, from, minAmount = -Infinity, maxAmount = Infinity } = wanted
    const { startDate = -Infinity, endDate = Infinity } = wanted
    if ((user ?? platformId) !== row.platformId) return false
    if (from !== undefined && !sourceFits(row.source, from, readings['sourceMatch'])) return false
    if (minAmount > row.amount || maxAmount < row.amount) return false
    if (startDate > at || (startDate === at && readings['startDateBound'] === 'exclusive')) return false
    return !(endDate < at || (endDate === at && readings['endDateBound'] === 'exclusive'))
  })

const sorted = (rows: OracleRow[], ledger: OracleRow[], wanted: Wanted, readings: Readings) => {
  const valueOf = (row: OracleRow): string | number => {
    const value = row[wanted.sortBy as 'amount']
    return wanted.sortBy === 'name' && readings['nameOrder'] === 'case-insensitive' ? row.name.toLowerCase() : value
  }
  return rows.toSorted((a, b) => {
    const [left, right] = wanted.sortOrder === 'asc' ? [a, b] : [b, a]
    if (valueOf(left) < valueOf(right)) return -1
    if (valueOf(left) > valueOf(right)) return 1
    return readings['tieOrder'] === 'ledger'
      ? ledger.indexOf(a) - ledger.indexOf(b)
      : a.transactionId < b.transactionId
        ? -1
        : 1
  })
}

const usersOf = (rows: OracleRow[]) =>
  rows.map((row) => row.platformId).filter((user, i, all) => all.indexOf(user) === i)

const ordered = (users: string[], ledger: OracleRow[], readings: Readings): string[] => {
  if (readings['groupOrder'] === 'platform-id') return users.toSorted()
  const first = (user: string) => ledger.findIndex((row) => row.platformId === user)
  return readings['groupOrder'] === 'ledger' ? users.toSorted((a, b) => first(a) - first(b)) : users
}

const shown = (full: OracleRow, readings: Readings) => {
  const { platformId: _platformId, ...row } = full
  const [day = '', time = ''] = row.createdAt.replace('Z', '').split('T')
  const spellings: Record<string, string> = {
    milliseconds: `${day}T${time}Z`,
    seconds: `${day}T${time.slice(0, 8)}Z`,
    offset: `${day}T${time}+00:00`,
  }
  return { ...row, createdAt: spellings[String(readings['createdAtFormat'])] }
}

const summed = (rows: OracleRow[], readings: Readings) => ({
  totalTransactions: rows.length,
  // Rows of the tests have two decimals at most, so hundredths are whole.
  totalValue: rows.reduce((sum, row) => sum + Math.round(row[readings['totalValueOf'] as 'total'] * 100), 0) / 100,
  uniqueUsers: usersOf(rows).length,
})

/** What the service answers. */
export const oracle = (ledger: OracleRow[], question: OracleQuestion, readings: Readings): Outcome => {
  const { user } = question
  const wanted = wantedBy(question, readings)
  if (!wanted) return bad
  const matching = sorted(filtered(ledger, user, wanted, readings), ledger, wanted, readings)
  const from = (wanted.page - 1) * wanted.limit
  const byGroup = user === null && readings['pageUnit'] === 'group'
  const unitsInAll = byGroup ? ordered(usersOf(matching), ledger, readings) : matching
  const units = unitsInAll.slice(from, from + wanted.limit)
  const onPage = byGroup
    ? (units as string[]).flatMap((platformId) => matching.filter((row) => row.platformId === platformId))
    : (units as OracleRow[])

  const message = `No transactions found for this ${user === null ? 'guild' : 'user'}`
  const nothingAtAll = !ledger.some((row) => user === null || row.platformId === user)
  const missing: Record<string, boolean> = {
    'no-match': matching.length === 0,
    'empty-page': onPage.length === 0,
    'empty-ledger': nothingAtAll,
  }
  if (missing[String(readings['notFoundWhen'])]) return { status: 404, body: { success: false, message } }

  const pages = Math.ceil(unitsInAll.length / wanted.limit)
  const pagination = {
    page: wanted.page,
    limit: wanted.limit,
    total: unitsInAll.length,
    totalPages: pages === 0 ? readings['emptyTotalPages'] : pages,
  }
  if (user !== null) {
    const transactions = onPage.map((row) => shown(row, readings))
    return { status: 200, body: { success: true, data: { platformId: user, transactions }, pagination } }
  }
  const groups = byGroup ? (units as string[]) : ordered(usersOf(onPage), ledger, readings)
  const data = groups.map((platformId) => ({
    platformId,
    transactions: onPage.filter((row) => row.platformId === platformId).map((row) => shown(row, readings)),
  }))
  const scopes: Record<string, OracleRow[]> = { match: matching, guild: ledger, page: onPage }
  const summary = summed(scopes[String(readings['summaryScope'])] ?? [], readings)
  return { status: 200, body: { success: true, data, pagination, summary } }
}
