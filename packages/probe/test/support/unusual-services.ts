import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import {
  byCodeUnit,
  Failure,
  OrdinaryService,
  type Group,
  type Query,
  type Sent,
  type Values,
} from './ordinary-service.ts'

/** A service that somebody could build from the spec, with one behaviour that no assumption describes. */
export interface UnusualService {
  readonly title: string
  /** The assumptions of which it has no value. */
  readonly without: readonly string[]
  /** Values other than the defaults. */
  readonly values?: Values
  readonly Service: new (ledger: readonly LedgerEntry[], values: Values) => OrdinaryService
}

const minute = (time: number): number => Math.floor(time / 60_000)

const otherValues = {
  sourceMatch: 'contains',
  invalidParameter: 'clamp',
  repeatedParameter: 'last',
  notFoundWhen: 'empty-ledger',
  tieOrder: 'ledger',
}

class OtherVersionForUsers extends OrdinaryService {
  readonly other = new OrdinaryService(this.ledger, { ...this.values, ...otherValues })
  override respond(target: string): Sent {
    return target.startsWith('/guild/ledger/transactions') ? super.respond(target) : this.other.respond(target)
  }
}

class TwoVersions extends OtherVersionForUsers {
  count = 0
  override respond(target: string): Sent {
    return this.count++ % 2 === 0 ? super.respond(target) : this.other.respond(target)
  }
}

class OldestFirst extends OrdinaryService {
  override defaults(user: string | null): object {
    return { ...super.defaults(user), ...(user === null && { sortOrder: 'asc' }) }
  }
}

class WholeMinutes extends OrdinaryService {
  override isAfter(createdAt: number, start: number): boolean {
    return super.isAfter(minute(createdAt), minute(start))
  }
  override isBefore(createdAt: number, end: number): boolean {
    return super.isBefore(minute(createdAt), minute(end))
  }
}

class TenPagesOfAll extends OrdinaryService {
  override valueOf(name: string, text: string, user: string | null): unknown {
    return name === 'page' && user === null ? this.number(name, text, 1, 10, true) : super.valueOf(name, text, user)
  }
}

class FirstItemsOnly extends OrdinaryService {
  override slice<Item>(items: readonly Item[], query: Query): Item[] {
    if ((query.page - 1) * query.limit >= 200) throw new Failure(400, 'the first 200 items only')
    return super.slice(items, query)
  }
}

class LenientList extends OrdinaryService {
  override valueOf(name: string, text: string, user: string | null): unknown {
    try {
      return super.valueOf(name, text, user)
    } catch (error) {
      if (user !== null) throw error
      return undefined
    }
  }
}

class ErrorsAreOk extends OrdinaryService {
  override fail(failure: Failure): Sent {
    return { ...super.fail(failure), status: 200 }
  }
}

class CaseBreaksTies extends OrdinaryService {
  override compareNames(a: string, b: string): number {
    return byCodeUnit(a.toLowerCase(), b.toLowerCase()) || byCodeUnit(a, b)
  }
}

/** Orders ties by id in some responses, and as they were entered in others. */
const withTiesById = (isById: (query: Query) => boolean) =>
  class extends OrdinaryService {
    override compareTies(a: LedgerEntry, b: LedgerEntry, query: Query): number {
      return isById(query) ? byCodeUnit(a.transactionId, b.transactionId) : super.compareTies(a, b, query)
    }
  }

/** Compares the source of a transaction with that of a filter in another way. */
const bySources = (isFrom: (source: string, from: string) => boolean) =>
  class extends OrdinaryService {
    override isFrom(source: string, from: string): boolean {
      return isFrom(source, from)
    }
  }

const RegularExpressions = bySources((source, from) => new RegExp(from).test(source))

/** As SQL does with LIKE. */
const LikePatterns = bySources((source, from) => {
  const pattern = from.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.')
  return new RegExp(`^${pattern}$`).test(source)
})

/** Excludes the transactions at one end of some ranges. */
const withoutBound = (name: 'startDate' | 'endDate', isExcluded: (query: Query) => boolean) =>
  class extends OrdinaryService {
    override matches(entry: LedgerEntry, query: Query): boolean {
      const isBound = Date.parse(entry.createdAt) === Date.parse(query[name] ?? '')
      return super.matches(entry, query) && !(isBound && isExcluded(query))
    }
  }

/** Reads some values as others do that the spec allows, before it reads them as usual. */
const reading = (replace: (name: string, text: string, user: string | null) => unknown) =>
  class extends OrdinaryService {
    override valueOf(name: string, text: string, user: string | null): unknown {
      const replaced = replace(name, text, user)
      return replaced === undefined ? super.valueOf(name, text, user) : replaced
    }
  }

/** Treats an inverted range of amounts as no matches on one of the endpoints, although it rejects others. */
const acceptingInverted = (isUser: boolean) =>
  class extends OrdinaryService {
    override checkRanges(query: Query): void {
      if ((query.user !== null) !== isUser || (query.minAmount ?? 0) <= (query.maxAmount ?? Infinity))
        super.checkRanges(query)
    }
  }

/** Orders users' transactions by another default for one sort. */
class AscendingAmounts extends OrdinaryService {
  override read(user: string | null, search: URLSearchParams): Query {
    const query = super.read(user, search)
    const isOwn = user !== null && query.sortBy === 'amount' && !search.has('sortOrder')
    return isOwn ? { ...query, sortOrder: 'asc' } : query
  }
}

class UnknownUserNotFound extends OrdinaryService {
  override list(query: Query): unknown {
    const { platformId } = query
    if (platformId !== undefined && this.ledger.every((entry) => entry.platformId !== platformId))
      throw new Failure(404, 'No such user')
    return super.list(query)
  }
}

class UserIgnoresUnknownNames extends OrdinaryService {
  override allowed(user: string | null): readonly string[] {
    return user === null ? super.allowed(user) : [...super.allowed(user), 'x-probe']
  }
}

class RejectsRepeatedSorts extends OrdinaryService {
  override single(name: string, sent: readonly string[]): string {
    if (name === 'sortBy' && sent.length > 1) throw new Failure(400, 'sortBy twice')
    return super.single(name, sent)
  }
}

/** Decodes parameters twice: a plus is a space then. */
class DecodesTwice extends OrdinaryService {
  override respond(target: string): Sent {
    return super.respond(target.replaceAll('%2B', '%20'))
  }
}

/** Cuts transactions into pages if they are those of one user, and users otherwise. */
class PagesOfOwn extends OrdinaryService {
  override groupsOn(matching: readonly LedgerEntry[], query: Query): Group[] {
    return query.platformId === undefined ? super.groupsOn(matching, query) : this.group(this.slice(matching, query))
  }
}

class AnyPattern extends RegularExpressions {
  override single(name: string, sent: readonly string[]): string {
    return name === 'from' ? sent.join('|') : super.single(name, sent)
  }
}

class NoSuchPage extends reading((name, text) => (name === 'limit' && !/^\d{1,2}$|^100$/.test(text) ? 20 : undefined)) {
  override slice<Item>(items: readonly Item[], query: Query): Item[] {
    if (query.page > 1 && (query.page - 1) * query.limit >= items.length) throw new Failure(404, 'no such page')
    return super.slice(items, query)
  }
}

const bounds = ['startDateBound', 'endDateBound']

export const unusualServices: readonly UnusualService[] = [
  { title: 'has another version for one user', without: Object.keys(otherValues), Service: OtherVersionForUsers },
  { title: 'is two versions that take turns', without: Object.keys(otherValues), Service: TwoVersions },
  { title: 'lists the oldest first by default', without: [], Service: OldestFirst },
  { title: 'compares dates in whole minutes', without: bounds, Service: WholeMinutes },
  {
    title: 'excludes the start of a range that has an end',
    without: ['startDateBound'],
    Service: withoutBound('startDate', ({ endDate }) => endDate !== undefined),
  },
  {
    title: 'excludes the end of a range that has a start',
    without: ['endDateBound'],
    values: { startDateBound: 'exclusive' },
    Service: withoutBound('endDate', ({ startDate }) => startDate !== undefined),
  },
  { title: 'has a largest page on list-all only', without: ['maxPage'], Service: TenPagesOfAll },
  { title: 'rejects pages after the first 200 items', without: ['maxPage'], Service: FirstItemsOnly },
  { title: 'rejects invalid values for one user only', without: ['invalidParameter'], Service: LenientList },
  {
    title: 'responds with 200 to what it rejects',
    without: ['invalidParameter', 'unlistedParameter', 'repeatedParameter', 'invertedRange', 'notFoundWhen'],
    values: { unlistedParameter: 'reject', repeatedParameter: 'reject', invertedRange: 'reject' },
    Service: ErrorsAreOk,
  },
  { title: 'breaks ties between names by case', without: ['nameOrder'], Service: CaseBreaksTies },
  {
    title: 'orders ties by id for one user only',
    without: ['tieOrder'],
    values: { tieOrder: 'ledger' },
    Service: withTiesById(({ user }) => user !== null),
  },
  {
    title: 'orders ties by id if it sorts by quantity',
    without: ['tieOrder'],
    values: { tieOrder: 'ledger' },
    Service: withTiesById(({ sortBy }) => sortBy === 'quantity'),
  },
  {
    title: 'does not check amounts',
    without: ['invalidParameter'],
    values: { invalidParameter: 'default' },
    Service: reading((name, text) => (name.endsWith('Amount') ? Number(text) : undefined)),
  },
  { title: 'takes a source as a regular expression', without: ['sourceMatch'], Service: RegularExpressions },
  {
    title: 'takes an invalid sortOrder for desc',
    without: ['invalidParameter'],
    Service: reading((name, text) => (name === 'sortOrder' && text !== 'asc' ? 'desc' : undefined)),
  },
  {
    title: 'takes the digits at the start of a number',
    without: ['invalidParameter'],
    Service: reading((name, text) => (name === 'limit' && /^\d+\D/.test(text) ? Number.parseInt(text, 10) : undefined)),
  },
  {
    title: 'ignores amounts that are no numbers',
    without: ['invalidParameter'],
    Service: reading((name, text) => (name === 'minAmount' && Number.isNaN(Number(text)) ? 0 : undefined)),
  },
  {
    title: 'ignores an invalid endDate',
    without: ['invalidParameter'],
    Service: reading((name, text) =>
      name === 'endDate' && Number.isNaN(Date.parse(text)) ? '9999-12-31T00:00:00Z' : undefined,
    ),
  },
  ...['for one user only', 'on list-all only'].map((where, i) => ({
    title: `accepts an inverted range of amounts ${where}`,
    without: ['invertedRange'],
    values: { invertedRange: 'reject' },
    Service: acceptingInverted(i === 0),
  })),
  { title: 'sorts amounts of one user ascending by default', without: ['userSortOrder'], Service: AscendingAmounts },
  {
    title: 'responds with 404 to a filter for an unknown user',
    without: ['notFoundWhen'],
    values: { notFoundWhen: 'empty-ledger' },
    Service: UnknownUserNotFound,
  },
  {
    title: 'ignores unknown names for one user, and rejects others',
    without: ['unlistedParameter'],
    values: { unlistedParameter: 'reject' },
    Service: UserIgnoresUnknownNames,
  },
  {
    title: 'matches whole words of a source',
    without: ['sourceMatch'],
    Service: bySources((source, from) => source === from || source.split(/[^\p{L}\p{N}]+/u).includes(from)),
  },
  {
    title: 'has no page after the last, and ignores a wrong limit',
    without: ['notFoundWhen', 'invalidParameter'],
    values: { notFoundWhen: 'empty-ledger' },
    Service: NoSuchPage,
  },
  { title: 'takes a source as a pattern of SQL', without: ['sourceMatch'], Service: LikePatterns },
  {
    title: 'compares sources without case and accents',
    without: ['sourceMatch'],
    Service: bySources((source, from) => new Intl.Collator('en', { sensitivity: 'base' }).compare(source, from) === 0),
  },
  { title: 'takes a plus in a time for a space', without: ['dateTimeForms'], Service: DecodesTwice },
  {
    title: 'has pages of transactions if they are of one user',
    without: ['pageUnit'],
    values: { pageUnit: 'group' },
    Service: PagesOfOwn,
  },
  {
    title: 'excludes the start of a range without an end, and the end of each',
    without: ['startDateBound'],
    values: { endDateBound: 'exclusive' },
    Service: withoutBound('startDate', ({ endDate }) => endDate === undefined),
  },
  { title: 'matches any of several patterns', without: ['sourceMatch', 'repeatedParameter'], Service: AnyPattern },
  {
    title: 'takes commas for several sources',
    without: ['sourceMatch'],
    Service: bySources((source, from) => from.split(',').includes(source)),
  },
  { title: 'rejects sortBy if it is given twice', without: ['repeatedParameter'], Service: RejectsRepeatedSorts },
]
