import { createMockLedger, type Assumptions, type MockLedger } from '../index.ts'
import { requestOf, withinWindow, type Parameters } from './candidate.ts'
import { checksFor } from './checks.ts'
import { excludeByOrder } from './exclude-by-order.ts'
import { learn, type Inference } from './learn.ts'
import { aspects, type Aspect } from './model/aspects.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import { createPrediction } from './model/predict.ts'
import { targetOf, type ProbeRequest } from './model/probe-request.ts'
import { assumptionOf, type Value } from './model/variables.ts'
import type { Send } from './read-pages.ts'
import type { ProbeProof } from './types.ts'

/** What the probe writes: a mock is started from it. */
export interface WrittenFiles {
  /** `assumptions.json`. */
  readonly assumptions: string
  /** Transactions, one JSON object per line. */
  readonly ledger: string
}

/** The values to test. */
export interface ProvenValues {
  /** The decided values. */
  readonly decided: Partial<Assumptions>
  /** These, and what is written as not proven. */
  readonly written: Partial<Assumptions>
}

const heldOut = 12

/** A random request that a bot might send: filters, a sort, a page, of the guild or of a user. */
export const randomRequest = (copy: LedgerCopy, random: () => number): ProbeRequest => {
  const pick = <Item>(all: readonly Item[]): Item | undefined => all[Math.floor(random() * all.length)]
  const items = copy.items.map(({ entry }) => entry)
  const user = random() < 0.3 ? (pick([...copy.wholeUsers.values()].flat())?.entry.platformId ?? null) : null
  const limit = 1 + Math.floor(random() * 40)
  const parameters: Parameters = {
    ...(random() < 0.7 && {
      sortBy: pick(['amount', 'quantity', 'total', 'createdAt', ...(user === null ? ['name'] : [])]) ?? 'total',
    }),
    ...(random() < 0.7 && { sortOrder: pick(['asc', 'desc']) ?? 'asc' }),
    ...(random() < 0.3 && { from: pick(items)?.source ?? 'shop' }),
    ...(random() < 0.3 && { minAmount: Math.max(0, pick(items)?.amount ?? 0) }),
    ...(random() < 0.2 && { maxAmount: Math.max(0, pick(items)?.amount ?? 0) }),
    ...(user === null && random() < 0.2 && { platformId: pick(items)?.platformId ?? '1' }),
    ...(random() < 0.8 && { limit }),
    ...(random() < 0.2 && { page: 2 }),
  }
  return withinWindow(requestOf(user, parameters), copy)
}

/** Starts a mock from what was written. */
export const mockFrom = ({ assumptions, ledger }: WrittenFiles): MockLedger => {
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    apiKey: 'probe-proof',
    assumptions: JSON.parse(assumptions) as Partial<Assumptions>,
  })
  mock.guild.load(ledger)
  return mock
}

const respond = (mock: MockLedger, request: ProbeRequest): RawResponse => {
  const { status, headers, body } = mock.respond({ method: 'GET', target: targetOf(request), apiKey: mock.apiKey })
  return { status, headers, body: JSON.parse(body) as unknown }
}

/** The variables that an aspect depends on, and whether it must have exactly one value. */
const dependence = (request: ProbeRequest, inference: Inference, aspect: Aspect) => {
  const variables = new Set<string>()
  const { domains } = inference.knowledge.space
  const setting = { copy: inference.tracker.copy, knownPage: inference.knowledge.knownPage }
  const prediction = createPrediction(request, setting, (variable) => {
    variables.add(variable)
    return domains.get(variable)?.[0] as Value
  })(aspect)
  return { variables: [...variables], isExact: typeof prediction === 'string' }
}

/**
 * Sends random requests that were not used before to the service and to a mock started from the files. What differs
 * becomes a conflict. Parts that depend on something undecided are left out.
 */
export const prove = async (
  inference: Inference,
  send: Send,
  { decided, written }: ProvenValues,
  write: (inference: Inference) => WrittenFiles,
  random: () => number,
): Promise<ProbeProof> => {
  const counts = { requests: 0, compared: 0, different: 0 }
  const isDecided = (variable: string): boolean => Object.hasOwn(decided, assumptionOf(variable))
  let copy: LedgerCopy | undefined
  let mock: MockLedger | undefined
  const sent = new Set(inference.knowledge.evidence.map(({ request }) => targetOf(request)))
  const checks = checksFor(inference.tracker.copy, written).filter(({ request }) => !sent.has(targetOf(request)))
  // Without transactions, only the checks show something.
  const isOver = () => checks.length === 0 && (randomSent === heldOut || inference.tracker.copy.items.length === 0)
  let randomSent = 0
  while (!isOver() && !inference.tracker.hasShrunk) {
    const check = checks.shift()
    if (!check) randomSent++
    const { request, targets } = check ?? { request: randomRequest(inference.tracker.copy, random), targets: [] }
    const conflictsBefore = inference.conflicts.length
    const response = await learn(inference, send, { request, targets }, { isCheck: check !== undefined })
    excludeByOrder(inference)
    counts.requests++
    counts.different += inference.conflicts.length - conflictsBefore
    if (inference.tracker.copy !== copy) {
      ;({ copy } = inference.tracker)
      mock = mockFrom(write(inference))
    }
    if (!mock || inference.conflicts.length > conflictsBefore) continue
    const live = observe(response, copy).observation
    const simulated = observe(respond(mock, request), copy).observation
    // A status that rests on something undecided may differ: then nothing else can be compared.
    const comparable = live.status === simulated.status ? aspects : (['status'] as const)
    for (const aspect of comparable) {
      const { variables, isExact } = dependence(request, inference, aspect)
      if (!isExact || !variables.every(isDecided) || live[aspect] === undefined) continue
      counts.compared++
      if (live[aspect] === simulated[aspect]) continue
      counts.different++
      const evidence = { request, targets, copies: [copy], response }
      inference.conflicts.push({ evidence, aspect, observed: live[aspect], variables })
    }
  }
  return counts
}
