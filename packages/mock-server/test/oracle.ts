/**
 * The service once more, as plain as the spec and slow: arrays, filter, sort. It shares no code with the mock, so that
 * neither can hide a mistake of the other.
 */

export interface OracleTransaction {
  platformId: string
  transactionId: string
  amount: number
  quantity: number
  name: string
  source: string
  total: number
  createdAt: string
}

export interface OracleRequest {
  /** The user of the one-user endpoint; `null` for list-all. */
  user: string | null
  /** Parameters as sent. */
  query: [name: string, text: string][]
}

/** Values by the name of the assumption; the tests give all of them. */
type AssumptionValues = Record<string, unknown>

interface ParsedQuery {
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

interface Expected {
  status: number
  /** `undefined` where the spec has no message. */
  body: unknown
}

const listAllParameters = 'page limit platformId from minAmount maxAmount startDate endDate sortBy sortOrder'.split(' ')
const oneUserParameters = 'page limit from minAmount maxAmount sortBy sortOrder'.split(' ')

/** The value of a parameter, whether it is valid, and the nearest valid value if there is one. */
const parse = (name: string, text: string, user: string | null, values: AssumptionValues) => {
  const decimal = /^-?[0-9]+(\.[0-9]+)?(e[0-9]+)?$/.test(text) ? Number(text) : NaN
  const integer = /^-?[0-9]+$/.test(text) ? Number(text) : NaN
  const clamped = (least: number, most: number) =>
    Number.isNaN(decimal) ? undefined : Math.max(least, Math.min(most, Math.floor(decimal + 0.5)))
  if (name === 'page') {
    const most = (values['maxPage'] as number | null) ?? Infinity
    return { value: integer, valid: integer >= 1 && integer <= most, nearest: clamped(1, most) }
  }
  if (name === 'limit') return { value: integer, valid: integer >= 1 && integer <= 100, nearest: clamped(1, 100) }
  if (name.endsWith('Amount'))
    return { value: decimal, valid: decimal >= 0, nearest: Number.isNaN(decimal) ? undefined : 0 }
  if (name.endsWith('Date')) {
    const form = /^.{10}$/.test(text) ? 'date' : /(Z|[+-]..:..)$/.test(text) ? 'offset' : 'no-offset'
    const forms = ['offset', 'no-offset', 'date']
    const isAllowed = forms.indexOf(form) <= forms.indexOf(String(values['dateTimeForms']))
    const utc = Date.parse(form === 'no-offset' ? `${text}+00:00` : text)
    return { value: utc, valid: isAllowed && !Number.isNaN(utc) }
  }
  if (name === 'sortOrder') return { value: text, valid: text === 'asc' || text === 'desc' }
  if (name === 'sortBy') {
    const fields = ['amount', 'quantity', 'total', 'createdAt', ...(user === null ? ['name'] : [])]
    return { value: text, valid: fields.includes(text) }
  }
  return { value: text, valid: true }
}

const parseQuery = ({ user, query }: OracleRequest, values: AssumptionValues): ParsedQuery | undefined => {
  const { userLimit: limit, userSortBy: sortBy, userSortOrder: sortOrder } = values
  const parsed: Record<string, unknown> =
    user === null
      ? { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' }
      : { page: 1, limit, sortBy, sortOrder }
  for (const [name] of query) {
    const listed = (user === null ? listAllParameters : oneUserParameters).includes(name)
    if (!listed && values['unlistedParameter'] === 'reject') return undefined
    if (!listed) continue
    const texts = query.filter(([other]) => other === name).map(([, text]) => text)
    if (texts.length > 1 && values['repeatedParameter'] === 'reject') return undefined
    const text =
      values['repeatedParameter'] === 'joined'
        ? texts.join(',')
        : values['repeatedParameter'] === 'last'
          ? texts[texts.length - 1]
          : texts[0]
    const { value, valid, nearest } = parse(name, text ?? '', user, values)
    if (valid) parsed[name] = value
    else if (values['invalidParameter'] === 'reject') return undefined
    else if (values['invalidParameter'] === 'clamp' && nearest !== undefined) {
      parsed[name] = nearest
    }
  }
  parsed['limit'] = Math.min(Number(parsed['limit']), Number(values['maxLimit'] ?? 100))
  const inverted =
    Number(parsed['minAmount']) > Number(parsed['maxAmount']) || Number(parsed['startDate']) > Number(parsed['endDate'])
  return inverted && values['invertedRange'] === 'reject' ? undefined : (parsed as unknown as ParsedQuery)
}

const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** LIKE of SQL: what is before the first %, then each text between two of them somewhere later, then the rest. */
const isLike = (source: string, pattern: string): boolean => {
  const fitsAt = (at: number, part: string) =>
    at >= 0 &&
    at + part.length <= source.length &&
    part.split('').every((one, i) => one === '_' || one === source[at + i])
  const [head = '', ...parts] = pattern.split('%')
  const tail = parts.pop()
  if (tail === undefined) return source.length === head.length && fitsAt(0, head)
  if (!fitsAt(0, head)) return false
  let at = head.length
  for (const part of parts) {
    while (at <= source.length && !fitsAt(at, part)) at++
    at += part.length
  }
  return at <= source.length - tail.length && fitsAt(source.length - tail.length, tail)
}

const sourceFits = (source: string, from: string, rule: unknown): boolean => {
  if (rule === 'prefix') return source.slice(0, from.length) === from
  if (rule === 'contains-case-insensitive') return source.toLowerCase().indexOf(from.toLowerCase()) >= 0
  if (rule === 'like') return isLike(asciiLower(source), asciiLower(from))
  if (rule === 'like-contains') return isLike(asciiLower(source), `%${asciiLower(from)}%`)
  if (rule === 'contains') return source.indexOf(from) >= 0
  return rule === 'exact' ? source === from : source.toUpperCase() === from.toUpperCase()
}

const filtered = (
  transactions: OracleTransaction[],
  user: string | null,
  parsed: ParsedQuery,
  values: AssumptionValues,
) =>
  transactions.filter((each) => {
    const at = Date.parse(each.createdAt)
    const { platformId = each.platformId, from, minAmount = -Infinity, maxAmount = Infinity } = parsed
    const { startDate = -Infinity, endDate = Infinity } = parsed
    if ((user ?? platformId) !== each.platformId) return false
    if (from !== undefined && !sourceFits(each.source, from, values['sourceMatch'])) return false
    if (minAmount > each.amount || maxAmount < each.amount) return false
    if (startDate > at || (startDate === at && values['startDateBound'] === 'exclusive')) return false
    return !(endDate < at || (endDate === at && values['endDateBound'] === 'exclusive'))
  })

const sorted = (
  transactions: OracleTransaction[],
  ledger: OracleTransaction[],
  parsed: ParsedQuery,
  values: AssumptionValues,
) => {
  const valueOf = (each: OracleTransaction): string | number => {
    if (parsed.sortBy !== 'name') return each[parsed.sortBy as 'amount']
    // UTF-8 has the order of code points.
    return Buffer.from(values['nameOrder'] === 'case-insensitive' ? each.name.toLowerCase() : each.name).toString('hex')
  }
  return transactions.toSorted((a, b) => {
    const [left, right] = parsed.sortOrder === 'asc' ? [a, b] : [b, a]
    const isByLanguage = parsed.sortBy === 'name' && values['nameOrder'] === 'language'
    const difference = isByLanguage ? left.name.localeCompare(right.name, 'en') : 0
    if (difference !== 0) return difference
    if (!isByLanguage && valueOf(left) < valueOf(right)) return -1
    if (!isByLanguage && valueOf(left) > valueOf(right)) return 1
    return values['tieOrder'] === 'ledger'
      ? ledger.indexOf(a) - ledger.indexOf(b)
      : a.transactionId < b.transactionId
        ? -1
        : 1
  })
}

const usersOf = (transactions: OracleTransaction[]) =>
  transactions.map((each) => each.platformId).filter((user, i, all) => all.indexOf(user) === i)

const ordered = (users: string[], ledger: OracleTransaction[], values: AssumptionValues): string[] => {
  if (values['groupOrder'] === 'platform-id') return users.toSorted()
  if (values['groupOrder'] === 'platform-id-descending') return users.toSorted((a, b) => (a < b ? 1 : -1))
  const first = (user: string) => ledger.findIndex((each) => each.platformId === user)
  return values['groupOrder'] === 'ledger' ? users.toSorted((a, b) => first(a) - first(b)) : users
}

const toResponseFields = (transaction: OracleTransaction, values: AssumptionValues) => {
  const { platformId: _platformId, ...fields } = transaction
  const [day = '', time = ''] = fields.createdAt.replace('Z', '').split('T')
  const formats: Record<string, string> = {
    milliseconds: `${day}T${time}Z`,
    seconds: `${day}T${time.slice(0, 8)}Z`,
    offset: `${day}T${time}+00:00`,
    microseconds: `${day}T${time}000Z`,
  }
  return { ...fields, createdAt: formats[String(values['createdAtFormat'])] }
}

const summed = (transactions: OracleTransaction[], values: AssumptionValues) => ({
  totalTransactions: transactions.length,
  // The tests use two decimals at most, so hundredths are integers.
  totalValue:
    transactions.reduce((sum, row) => sum + Math.round(row[values['totalValueOf'] as 'total'] * 100), 0) / 100,
  uniqueUsers: usersOf(transactions).length,
})

/** What the service responds. */
export const oracle = (ledger: OracleTransaction[], request: OracleRequest, values: AssumptionValues): Expected => {
  const { user } = request
  const parsed = parseQuery(request, values)
  if (!parsed) return { status: Number(values['invalidParameterStatus'] ?? 400), body: undefined }
  const matching = sorted(filtered(ledger, user, parsed, values), ledger, parsed, values)
  const from = (parsed.page - 1) * parsed.limit
  const byGroup = user === null && values['pageUnit'] === 'group'
  const unitsInAll = byGroup ? ordered(usersOf(matching), ledger, values) : matching
  const units = unitsInAll.slice(from, from + parsed.limit)
  const onPage = byGroup
    ? (units as string[]).flatMap((platformId) => matching.filter((each) => each.platformId === platformId))
    : (units as OracleTransaction[])

  const message = `No transactions found for this ${user === null ? 'guild' : 'user'}`
  const isEmpty = !ledger.some((each) => user === null || each.platformId === user)
  const missing: Record<string, boolean> = {
    'no-match': matching.length === 0,
    'empty-page': onPage.length === 0,
    'empty-ledger': isEmpty,
  }
  if (missing[String(values['notFoundWhen'])]) return { status: 404, body: { success: false, message } }

  const countsOther = user === null && values['totalUnit'] === 'other'
  const total = countsOther ? (byGroup ? matching : usersOf(matching)).length : unitsInAll.length
  const pages = Math.ceil(total / parsed.limit)
  const pagination = {
    page: parsed.page,
    limit: parsed.limit,
    total,
    totalPages: pages === 0 ? values['emptyTotalPages'] : pages,
  }
  if (user !== null) {
    const transactions = onPage.map((each) => toResponseFields(each, values))
    return { status: 200, body: { success: true, data: { platformId: user, transactions }, pagination } }
  }
  const groups = byGroup ? (units as string[]) : ordered(usersOf(onPage), ledger, values)
  const data = groups.map((platformId) => ({
    platformId,
    transactions: onPage.filter((each) => each.platformId === platformId).map((each) => toResponseFields(each, values)),
  }))
  const scopes: Record<string, OracleTransaction[]> = { match: matching, guild: ledger, page: onPage }
  const summary = summed(scopes[String(values['summaryScope'])] ?? [], values)
  return { status: 200, body: { success: true, data, pagination, summary } }
}
