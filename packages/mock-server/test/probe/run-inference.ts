import { createMockLedger, type Assumptions, type MockLedger } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { infer, type InferOptions } from '../../src/probe/infer.ts'
import type { Inference } from '../../src/probe/learn.ts'
import type { RawResponse } from '../../src/probe/model/observe.ts'
import {
  inferable,
  isForeign,
  meaningOfKind,
  valuesTried,
  variablesOf,
  type Value,
} from '../../src/probe/model/variables.ts'
import { targetOf } from '../../src/probe/model/probe-request.ts'
import type { Send } from '../../src/probe/read-pages.ts'
import { RequestLimitReached } from '../../src/probe/problem.ts'
import { verdictsOf, type Verdict } from '../../src/probe/verdicts.ts'
import { createDice, randomAssumptions, randomService, randomTransactions } from './random-service.ts'

/** Responds to a path with a query string. */
export type Respond = (target: string) => {
  readonly status: number
  readonly body: string
  readonly headers?: Record<string, string>
}

/** The outcome of an inference, without the network. */
export interface Inferred {
  readonly inference: Inference
  readonly verdicts: readonly Verdict[]
  readonly targets: readonly string[]
  readonly send: Send
  readonly verdictOf: (key: string) => Verdict | undefined
}

/** Infers the assumptions of a service that is a function. */
export const inferFrom = async (
  respond: Respond,
  limit = 150,
  maxTransactions?: number,
  onStart?: InferOptions['onStart'],
): Promise<Inferred> => {
  const targets: string[] = []
  const send: Send = async (request): Promise<RawResponse> => {
    if (targets.length >= limit) throw new RequestLimitReached()
    const target = targetOf(request)
    targets.push(target)
    const { status, body, headers = {} } = respond(target)
    return { status, headers, body: JSON.parse(body) as unknown }
  }
  const inference = await infer(send, { maxTransactions, onStart })
  const verdicts = verdictsOf(inference)
  return { inference, verdicts, targets, send, verdictOf: (name) => verdicts.find(({ key }) => key === name) }
}

/** A mock as such a function. */
export const respondFrom =
  (mock: MockLedger): Respond =>
  (target) =>
    mock.respond({ method: 'GET', target, apiKey: mock.apiKey })

/** Values, decided or not proven, that are not those of the service. */
export const wrongIn = (verdicts: readonly Verdict[], truth: Readonly<Record<string, unknown>>): string[] =>
  verdicts.flatMap(({ key, verdict, value }) =>
    value !== undefined && truth[key] !== value
      ? [`${key}: ${verdict} ${String(value)}, is ${String(truth[key])}`]
      : [],
  )

/**
 * How a ledger changes. `growing`: each transaction is newer than all before. `backdated`: it is up to 3 s older than its
 * entry. `rolling`: the oldest transaction is removed whenever another enters.
 */
export const changes = ['growing', 'backdated', 'rolling'] as const
/** One of these. */
export type Change = (typeof changes)[number]

/** After how many requests a transaction enters. Of a rolling ledger, few changes are harder to see than many. */
const rates: Readonly<Record<Change, readonly number[]>> = {
  growing: [3, 5, 10],
  backdated: [3, 5, 10],
  rolling: [12, 16, 20, 24, 30],
}

/** A service whose ledger gets a transaction every few requests. */
export const changingService = (
  seed: number,
  change: Change = 'growing',
  most = 600,
): { mock: MockLedger; respond: Respond } => {
  const dice = createDice(seed)
  const all = randomTransactions(dice, most).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  const hasWholeSeconds = all.every(({ createdAt }) => createdAt.endsWith('.000Z'))
  const later = all.splice(Math.floor(all.length * 0.9))
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    assumptions: { ...randomAssumptions(dice), maxPage: null },
  })
  mock.guild.add(all)
  const every = dice.pick(rates[change])
  const ids = [...all, ...later].map(({ transactionId }) => transactionId)
  let now = Math.max(0, ...all.map(({ createdAt }) => Date.parse(createdAt)))
  const backdated = (entry: LedgerEntry): LedgerEntry => {
    now += dice.below(2000)
    const time = now - dice.below(3000)
    const createdAt = new Date(hasWholeSeconds ? Math.floor(time / 1000) * 1000 : time).toISOString()
    return { ...entry, createdAt }
  }
  let count = 0
  const respond: Respond = (target) => {
    const next = ++count % every === 0 ? later.shift() : undefined
    if (next) mock.guild.add([change === 'backdated' ? backdated(next) : next])
    if (next && change === 'rolling') mock.guild.remove(ids.splice(0, 1))
    return respondFrom(mock)(target)
  }
  return { mock, respond }
}

/** What a series of random services showed. */
export interface RoundTrip {
  readonly wrong: readonly string[]
  readonly outside: readonly string[]
  /** Requests beyond one pass over the ledger, ascending. */
  readonly requests: readonly number[]
  readonly decided: number
  readonly verdicts: number
}

/** How to probe a series of random services. */
interface RoundTripOptions {
  /** Most transactions of a ledger. */
  readonly most?: number
  /** How the ledgers change meanwhile, if they do. */
  readonly change?: Change | undefined
  /** Whether to infer one kind of request per assumption: everything else is known before. */
  readonly isBasic?: boolean
}

/** Assumptions that the first prototype of the probe did not have. */
const later = new Set<string>(['totalUnit', 'dateTimeForms'])

/**
 * Tells a probe everything that the first prototype took for granted: all kinds of requests are treated as the first, and
 * services behave like one of the values.
 */
const reveal = ({ knowledge }: Inference, truth: Readonly<Record<string, unknown>>): void => {
  for (const key of inferable) {
    for (const [i, variable] of variablesOf(key).entries()) {
      const values = valuesTried(variable).filter((value) => !isForeign(variable, value))
      const meanings = meaningOfKind[variable]
      const isKnown = later.has(key) || (i > 0 && variable !== 'notFoundWhen.page')
      const known = values.filter((value) =>
        meanings ? meanings[String(value)]?.includes(truth[key] as Value) : value === truth[key],
      )
      knowledge.replace(variable, isKnown ? known : values)
    }
  }
}

/** Probes random services and compares the result with their assumptions. */
export const roundTrip = async (
  seeds: readonly number[],
  { most, change, isBasic = false }: RoundTripOptions = {},
): Promise<RoundTrip> => {
  const wrong: string[] = []
  const outside: string[] = []
  const requests: number[] = []
  let [decided, count] = [0, 0]
  for (const seed of seeds) {
    const still = change ? undefined : randomService(seed, most)
    const { mock, respond } = still
      ? { mock: still.mock, respond: respondFrom(still.mock) }
      : changingService(seed, change, most)
    const pages = Math.max(1, Math.ceil(mock.guild.transactions.length / 100))
    const { assumptions } = mock
    const { verdicts, targets } = await inferFrom(
      respond,
      400,
      undefined,
      isBasic ? (inference) => reveal(inference, truthOf(assumptions)) : undefined,
    )
    requests.push(targets.length - pages)
    wrong.push(...wrongIn(verdicts, truthOf(assumptions)).map((one) => `seed ${seed}: ${one}`))
    outside.push(...verdicts.flatMap(({ key, verdict }) => (verdict === 'outside' ? [`seed ${seed}: ${key}`] : [])))
    decided += verdicts.filter(({ verdict }) => verdict === 'decided').length
    count += verdicts.length
  }
  return { wrong, outside, requests: requests.toSorted((a, b) => a - b), decided, verdicts: count }
}

/** The assumptions of a mock by name. */
export const truthOf = (assumptions: Assumptions): Record<string, unknown> => ({ ...assumptions })
