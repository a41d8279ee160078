import { setImmediate } from 'node:timers/promises'
import { createMockLedger, type Assumptions, type MockLedger } from '@guild-ledger/mock-server'
import {
  ApiError,
  type Drift,
  type GuildQuery,
  type GuildReply,
  type LedgerEntry,
  type UserGroup,
  type UserReply,
} from '@guild-ledger/sdk'
import type { Walkable, WalkedPage } from '../../sdk/src/walk/reading.ts'
import { soundRules, type Rules } from '../../sdk/src/walk/rules.ts'
import { iterate } from '../../sdk/src/walk/walks.ts'

/** Something that happens to the ledger while a walk goes through it. */
export interface Change {
  readonly add?: readonly LedgerEntry[] | undefined
  /** Which rows go: the n-th of those there are, counted on from the first after the last. */
  readonly remove?: readonly number[] | undefined
}

/** One walk in a world of its own. */
export interface Scenario {
  /** The user whose transactions are walked; undefined for list-all. */
  readonly user: string | undefined
  readonly assumptions: Partial<Assumptions>
  readonly rows: readonly LedgerEntry[]
  readonly query: GuildQuery
  readonly concurrency: number | undefined
  readonly changes: readonly Change[]
  /** Whether the consumer takes its time. */
  readonly slow: boolean
  /** Decides what happens next, each time. */
  readonly seed: number
  /** Pages that the walk remembers. */
  readonly remember: number
}

/** What came of it. */
export interface Outcome {
  readonly yielded: readonly LedgerEntry[]
  /** What matched when the first request was answered. */
  readonly before: readonly string[]
  /** What matched when the last one was. */
  readonly after: readonly string[]
  readonly drifts: readonly Drift[]
  readonly error: unknown
  readonly requests: number
  readonly mostAtOnce: number
}

interface Request {
  readonly target: string
  readonly settle: (reply: { status: number; body: string }) => void
  answer?: { status: number; body: string }
}

/** Numbers from 0 to 1 that look random (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const groupsOf = ({ data }: GuildReply | UserReply): readonly UserGroup[] => (Array.isArray(data) ? data : [data])

const targetOf = (user: string | undefined, query: GuildQuery) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `/guild/ledger/${user === undefined ? '' : `${user}/`}transactions?${search}`
}

const refusalOf = (status: number, body: string, user: string | undefined) =>
  new ApiError((JSON.parse(body) as { message: string }).message, {
    code: status === 404 ? (user === undefined ? 'no_guild_transactions' : 'no_user_transactions') : 'bad_request',
    status,
    reason: undefined,
    endpoint: 'GET',
    headers: new Headers(),
    body,
    attempts: 1,
    retryAfterMs: undefined,
  })

const matching = (mock: MockLedger, user: string | undefined, query: GuildQuery): string[] => {
  const { body } = mock.answer({
    method: 'GET',
    target: targetOf(user, { ...query, page: 1, limit: 100 }),
    apiKey: mock.apiKey,
  })
  const reply = JSON.parse(body) as GuildReply | UserReply
  return 'data' in reply ? groupsOf(reply).flatMap((group) => group.transactions.map((row) => row.transactionId)) : []
}

/**
 * Walks through a ledger that changes meanwhile. Requests wait until they are answered, answers until they are
 * delivered, and in between the ledger changes: what comes next is drawn each time. No clock is involved.
 */
export const live = async (scenario: Scenario, change: Partial<Rules> = {}): Promise<Outcome> => {
  const { user, query, concurrency, slow } = scenario
  const mock = createMockLedger({ transactions: 0, assumptions: scenario.assumptions, rateLimit: 'off' })
  mock.guild.add(scenario.rows)
  const random = randomFrom(scenario.seed)
  const changes = [...scenario.changes]
  const waiting: Request[] = []
  const underWay = new Set<Request>()
  const yielded: LedgerEntry[] = []
  const drifts: Drift[] = []
  let before: readonly string[] | undefined
  let requests = 0
  let mostAtOnce = 0
  let goOn: (() => void) | undefined
  const consumer = { isDone: false }
  let error: unknown

  const operation: Walkable<GuildQuery, (GuildReply | UserReply) & WalkedPage> = {
    check: () => {},
    emptyCode: user === undefined ? 'no_guild_transactions' : 'no_user_transactions',
    groups: groupsOf,
    list: (asked, options) =>
      new Promise((resolve, reject) => {
        const request: Request = {
          target: targetOf(user, asked),
          settle: ({ status, body }) => {
            underWay.delete(request)
            if (status === 200) resolve(JSON.parse(body) as GuildReply)
            else reject(refusalOf(status, body, user))
          },
        }
        options?.signal?.addEventListener('abort', () => {
          underWay.delete(request)
          waiting.splice(waiting.indexOf(request) >>> 0, 1)
          reject(options.signal?.reason as Error)
        })
        requests += 1
        waiting.push(request)
        underWay.add(request)
        mostAtOnce = Math.max(mostAtOnce, underWay.size)
      }),
  }

  const consume = async () => {
    const options = { concurrency, onDrift: (drift: Drift) => void drifts.push(drift) }
    const walk = iterate(operation, query, options, { ...soundRules, remember: scenario.remember, ...change })
    for await (const entry of walk) {
      yielded.push(entry)
      if (yielded.length > 5000) throw new Error('the walk yields for ever')
      if (slow && random() < 0.3) {
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
    }
  }

  const happen = () => {
    const { add = [], remove = [] } = changes.shift() ?? {}
    const ids = mock.guild.transactions.map((row) => row.transactionId)
    const gone = [...new Set(remove.map((n) => ids[n % ids.length]))].filter((id) => id !== undefined)
    mock.guild.remove(gone)
    // As many come as go where both happen at once.
    mock.guild.add(gone.length > 0 ? add.slice(0, gone.length) : add)
  }
  const answer = () => {
    const unanswered = waiting.filter((request) => !request.answer)
    const request = unanswered[Math.floor(random() * unanswered.length)]
    if (!request) return
    before ??= matching(mock, user, query)
    request.answer = mock.answer({ method: 'GET', target: request.target, apiKey: mock.apiKey })
  }
  const deliver = () => {
    const answered = waiting.filter((request) => request.answer)
    const request = answered[Math.floor(random() * answered.length)]
    if (!request?.answer) return
    waiting.splice(waiting.indexOf(request), 1)
    request.settle(request.answer)
  }

  const consumed = consume()
    .catch((thrown: unknown) => {
      error = thrown
    })
    .finally(() => {
      consumer.isDone = true
    })
  for (let turns = 0; !consumer.isDone; turns += 1) {
    if (turns > 20_000) throw new Error('the walk does not end')
    await setImmediate()
    const ready = [
      ...(changes.length > 0 && before ? [happen] : []),
      ...(waiting.some((request) => !request.answer) ? [answer, answer, answer] : []),
      ...(waiting.some((request) => request.answer) ? [deliver, deliver, deliver] : []),
      ...(goOn ? [() => [goOn, (goOn = undefined)][0]?.()] : []),
    ]
    ready[Math.floor(random() * ready.length)]?.()
  }
  await consumed
  const after = matching(mock, user, query)
  return { yielded, before: before ?? [], after, drifts, error, requests, mostAtOnce }
}
