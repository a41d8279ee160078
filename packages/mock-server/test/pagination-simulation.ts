import { setImmediate } from 'node:timers/promises'
import { createMockLedger, type Assumptions, type MockLedger } from '@guild-ledger/mock-server'
import { ApiError, type Drift, type GuildQuery, type LedgerEntry, type UserGroup } from '@guild-ledger/sdk'
import type { GuildResponse, Pagination, UserResponse } from '@guild-ledger/sdk/contract'
import { createRandom } from '@guild-ledger/test-kit'
import type { PaginatedPage } from '../../sdk/src/pagination/page-result.ts'
import { iterate } from '../../sdk/src/pagination/paginate.ts'
import { operationOf } from './operation.ts'

/** Something that happens to the ledger during pagination. */
export interface Change {
  readonly add?: readonly LedgerEntry[] | undefined
  /** Which transactions are removed: the n-th of those there are, starting over after the last. */
  readonly remove?: readonly number[] | undefined
}

/** One pagination over a ledger of its own. */
export interface Scenario {
  /** The user whose transactions are read; undefined for list-all. */
  readonly user: string | undefined
  readonly assumptions: Partial<Assumptions>
  readonly transactions: readonly LedgerEntry[]
  readonly query: GuildQuery
  readonly concurrency: number | undefined
  readonly changes: readonly Change[]
  /** Whether the consumer pauses. */
  readonly slow: boolean
  /** Decides what happens next, each time. */
  readonly seed: number
}

/** What came of it. */
export interface Outcome {
  readonly yielded: readonly LedgerEntry[]
  /** What matched when the first response was made. */
  readonly before: readonly string[]
  /** What matched after the last response. */
  readonly after: readonly string[]
  readonly drifts: readonly Drift[]
  readonly error: unknown
  readonly requests: number
  /** What the first response said of the pages; undefined if it was an error. */
  readonly pages: Pagination | undefined
  readonly mostInFlight: number
  /** Whether the ledger changed after the last drift was reported. */
  readonly isChangedAfterDrift: boolean
}

interface RawResponse {
  readonly status: number
  readonly body: string
}

interface PendingRequest {
  readonly target: string
  readonly settle: (response: RawResponse) => void
  response?: RawResponse
}

const groupsOf = ({ data }: GuildResponse | UserResponse): readonly UserGroup[] => (Array.isArray(data) ? data : [data])

const targetOf = (user: string | undefined, query: GuildQuery) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `/guild/ledger/${user === undefined ? '' : `${user}/`}transactions?${search}`
}

const errorOf = ({ status, body }: RawResponse, user: string | undefined) =>
  new ApiError((JSON.parse(body) as { message: string }).message, {
    code: status === 404 ? (user === undefined ? 'no_guild_transactions' : 'no_user_transactions') : 'bad_request',
    status,
    reason: undefined,
    headers: new Headers(),
    body,
    retryAfterMs: undefined,
  })

const matchingIds = (mock: MockLedger, user: string | undefined, query: GuildQuery): string[] => {
  const { body } = mock.respond({
    method: 'GET',
    target: targetOf(user, { ...query, page: 1, limit: 100 }),
    apiKey: mock.apiKey,
  })
  const response = JSON.parse(body) as GuildResponse | UserResponse
  return 'data' in response
    ? groupsOf(response).flatMap(({ transactions }) => transactions.map(({ transactionId }) => transactionId))
    : []
}

/** A consumer that reads to the end and pauses where `pauses` says so. */
const createConsumer = (pauses: () => boolean) => {
  const yielded: LedgerEntry[] = []
  let resume: (() => void) | undefined
  return {
    yielded,
    get isPaused() {
      return resume !== undefined
    },
    resume() {
      const paused = resume
      resume = undefined
      paused?.()
    },
    async consume(entries: AsyncIterable<LedgerEntry>) {
      for await (const entry of entries) {
        yielded.push(entry)
        if (yielded.length > 5000) throw new Error('the paginator yields without end')
        if (!pauses()) continue
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      }
    },
  }
}

/** Requests that wait until the simulation responds to them. */
const createNetwork = (user: string | undefined) => {
  const pending: PendingRequest[] = []
  const inFlight = new Set<PendingRequest>()
  const count = { requests: 0, mostInFlight: 0 }
  const operation = operationOf<GuildQuery, (GuildResponse | UserResponse) & PaginatedPage>(
    { groups: groupsOf },
    (query, options) =>
      new Promise((resolve, reject) => {
        const request: PendingRequest = {
          target: targetOf(user, query),
          settle: (response) => {
            inFlight.delete(request)
            if (response.status === 200) resolve(JSON.parse(response.body) as GuildResponse)
            else reject(errorOf(response, user))
          },
        }
        options.signal?.addEventListener('abort', () => {
          inFlight.delete(request)
          pending.splice(pending.indexOf(request) >>> 0, 1)
          reject(options.signal?.reason as Error)
        })
        count.requests++
        pending.push(request)
        inFlight.add(request)
        count.mostInFlight = Math.max(count.mostInFlight, inFlight.size)
      }),
  )
  return { operation, pending, count }
}

/**
 * Paginates over a ledger that changes meanwhile. Requests wait for their response, responses for their delivery, and in
 * between the ledger changes: what happens next is drawn each time. No clock is involved.
 */
export const simulate = async (scenario: Scenario): Promise<Outcome> => {
  const { user, query, concurrency, slow } = scenario
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: scenario.assumptions })
  mock.guild.add(scenario.transactions)
  const random = createRandom(scenario.seed)
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]
  const changes = [...scenario.changes]
  const drifts: Drift[] = []
  const { operation, pending, count } = createNetwork(user)
  const consumer = createConsumer(() => slow && random() < 0.3)
  let before: readonly string[] | undefined
  let pages: Pagination | undefined
  let driftsAtChange = 0

  const change = () => {
    driftsAtChange = drifts.length
    const { add = [], remove = [] } = changes.shift() ?? {}
    const ids = mock.guild.transactions.map(({ transactionId }) => transactionId)
    const removed = [...new Set(remove.map((n) => ids[n % ids.length]))].filter((id) => id !== undefined)
    mock.guild.remove(removed)
    // As many are added as removed where both happen at once.
    mock.guild.add(removed.length > 0 ? add.slice(0, removed.length) : add)
  }
  const respond = () => {
    const request = pick(pending.filter(({ response }) => !response))
    if (!request) return
    before ??= matchingIds(mock, user, query)
    request.response = mock.respond({ method: 'GET', target: request.target, apiKey: mock.apiKey })
    pages ??= (JSON.parse(request.response.body) as Partial<GuildResponse>).pagination
  }
  const deliver = () => {
    const request = pick(pending.filter(({ response }) => response))
    if (!request?.response) return
    pending.splice(pending.indexOf(request), 1)
    request.settle(request.response)
  }

  const ended: { isDone: boolean; error?: unknown } = { isDone: false }
  const options = { concurrency, onDrift: (drift: Drift) => void drifts.push(drift) }
  const consumed = consumer
    .consume(iterate(operation, query, options))
    .catch((error: unknown) => {
      ended.error = error
    })
    .finally(() => {
      ended.isDone = true
    })
  for (let turns = 0; !ended.isDone; turns++) {
    if (turns > 20_000) throw new Error('the pagination does not end')
    await setImmediate()
    pick([
      ...(changes.length > 0 && before ? [change] : []),
      ...(pending.some(({ response }) => !response) ? [respond, respond, respond] : []),
      ...(pending.some(({ response }) => response) ? [deliver, deliver, deliver] : []),
      ...(consumer.isPaused ? [consumer.resume] : []),
    ])?.()
  }
  await consumed
  const after = matchingIds(mock, user, query)
  return {
    yielded: consumer.yielded,
    before: before ?? [],
    after,
    drifts,
    error: ended.error,
    pages,
    isChangedAfterDrift: drifts.length > 0 && driftsAtChange === drifts.length,
    ...count,
  }
}
