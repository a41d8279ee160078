import type { Assumptions } from '../assumptions/index.ts'
import { checkKeyStillWorks } from './check-service.ts'
import { boundsNeeded } from './filter-questions.ts'
import { chooseCandidate, createPredictions } from './choose.ts'
import { excludeByOrder } from './exclude-by-order.ts'
import { findMaxPage } from './find-max-page.ts'
import { createKnowledge, type Conflict, type Evidence, type Knowledge } from './knowledge.ts'
import { createLedgerTracker, type LedgerTracker } from './ledger-tracker.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-question.ts'
import { assumptionOf } from './model/variables.ts'
import { questionOf, type Candidate } from './candidate.ts'
import { RequestLimitReached } from './problem.ts'
import { createCandidates } from './questions.ts'
import type { Send } from './read-ledger.ts'
import { checkRepeat } from './repeat.ts'
import { variantOf } from './variant.ts'

/** What the requests showed. */
export interface Inference {
  readonly knowledge: Knowledge
  readonly tracker: LedgerTracker
  readonly conflicts: Conflict[]
  /** Requests that got different responses while the ledger stayed the same. */
  readonly unstable: Candidate[]
  /** How many transactions were requested by their time as a bound. */
  bounds: number
  /** Whether the whole ledger could be read. */
  isComplete: boolean
  /** Whether the limit of requests ended it. */
  isCutShort: boolean
}

const maxFruitless = 3
const maxDirections = 3

/** How many values are left in all. */
const sizeOf = ({ space }: Knowledge): number => [...space.domains.values()].reduce((sum, { length }) => sum + length, 0)

const isHuge = ({ question }: Candidate): boolean => question.parameters.some(([, text]) => text === String(hugePage))
const isBound = ({ targets }: Candidate): boolean => targets[0] === 'startDateBound'
const keyOf = ({ question }: Candidate): string => JSON.stringify(question)

const differ = (a: RawResponse, b: RawResponse, copy: LedgerCopy): boolean =>
  JSON.stringify(observe(a, copy).observation) !== JSON.stringify(observe(b, copy).observation)

/** Adds a response; where nothing explains it, repeats the request and reads what changed in the ledger. */
export const learn = async (inference: Inference, send: Send, candidate: Candidate): Promise<RawResponse> => {
  const { knowledge, tracker, conflicts, unstable } = inference
  const first = await send(candidate.question)
  const explains = (response: RawResponse, copy: LedgerCopy): boolean =>
    knowledge.add({ ...candidate, copy, response }, false).length === 0
  if (explains(first, tracker.copy)) return first
  const before = tracker.copy
  const second = await send(variantOf(candidate.question, 1))
  if (explains(second, before)) {
    // One odd response is a fault. Two are a service that responds differently each time.
    const third = await send(variantOf(candidate.question, 2))
    if (differ(second, third, before)) unstable.push(candidate)
    return second
  }
  const states = await tracker.update()
  if (states.some((copy) => explains(second, copy))) return second
  const evidence: Evidence = { ...candidate, copy: tracker.copy, response: second }
  if (states.length === 0 && differ(first, second, before)) unstable.push(candidate)
  conflicts.push(...knowledge.add(evidence, true))
  return second
}

const resolveMaxPage = async ({ knowledge, tracker, conflicts }: Inference, send: Send, above: RawResponse) => {
  const values = knowledge.space.domains.get('maxPage') ?? []
  if (values.length !== 1 || values[0] !== 'finite') return
  const most = await findMaxPage(send, above, Math.max(2, knowledge.knownPage))
  if (most !== undefined) return knowledge.replace('maxPage', [most])
  const evidence = { question: questionOf(null, {}), targets: ['maxPage'], copy: tracker.copy, response: above }
  conflicts.push({ evidence, aspect: 'page', observed: 'no largest page', variables: ['maxPage'] })
}

/** Adds the responses by which the ledger was read: it may have grown meanwhile. */
const addPages = async (inference: Inference): Promise<void> => {
  const { knowledge, tracker, conflicts } = inference
  const read = await tracker.start()
  inference.isComplete = read.isComplete
  knowledge.knownPage = read.knownPage
  for (const { candidate, response } of read.responses) {
    const explains = (copy: LedgerCopy) => knowledge.add({ ...candidate, copy, response }, false).length === 0
    if (explains(tracker.copy) || tracker.earlier().some(explains)) continue
    conflicts.push(...knowledge.add({ ...candidate, copy: tracker.copy, response }, true))
  }
}

/** Sends requests until none would show anything more. */
const explore = async (inference: Inference, send: Send, expected?: Partial<Assumptions>): Promise<void> => {
  const isUseful = (candidate: Candidate): boolean =>
    !expected || candidate.targets.some((target) => Object.hasOwn(expected, assumptionOf(target)))
  const { knowledge, tracker } = inference
  const sent = new Set(knowledge.evidence.map(keyOf))
  let copy: LedgerCopy | undefined
  let candidates: Candidate[] = []
  let predictions = createPredictions({ copy: tracker.copy, knownPage: knowledge.knownPage })
  let [fruitless, directions] = [0, 0]
  let aboveAll: RawResponse | undefined

  /** Ties that descending sorts may reverse need one more sort to tell. */
  const nextDirection = (): Candidate | undefined => {
    const values = knowledge.space.domains.get('tieOrder') ?? []
    const isOpen = values.includes('ledger') && values.includes('ledger-as-sort-order')
    if (!isOpen || directions++ >= maxDirections) return undefined
    return candidates.find(({ targets }) => targets.includes('tieOrder'))
  }

  while (!tracker.hasShrunk) {
    if (tracker.copy !== copy) {
      ;({ copy } = tracker)
      candidates = createCandidates(copy).filter((candidate) => !sent.has(keyOf(candidate)) && isUseful(candidate))
      predictions = createPredictions({ copy, knownPage: knowledge.knownPage })
    }
    excludeByOrder(knowledge, copy)
    const decisiveOnly = fruitless >= maxFruitless
    const choice = chooseCandidate(candidates, knowledge.space, predictions, { decisiveOnly })
    const nextBound = inference.bounds < boundsNeeded ? candidates.find(isBound) : undefined
    const next = choice?.candidate ?? nextBound ?? nextDirection()
    if (!next) return
    const before = sizeOf(knowledge)
    sent.add(keyOf(next))
    candidates = candidates.filter((candidate) => candidate !== next)
    const response = await learn(inference, send, next)
    excludeByOrder(knowledge, tracker.copy)
    if (isBound(next)) inference.bounds++
    if (choice?.isDecisive === false && sizeOf(knowledge) === before) fruitless++
    if (isHuge(next)) aboveAll = response
    if (aboveAll) await resolveMaxPage(inference, send, aboveAll)
  }
}

/** How to infer. */
export interface InferOptions {
  /** Only what tells whether these values still hold is requested. */
  readonly expected?: Partial<Assumptions> | undefined
  /** Most transactions that are read. */
  readonly maxTransactions?: number | undefined
  /** Called with what is known, which changes from then on. */
  readonly onStart?: ((inference: Inference) => void) | undefined
}

/** Sends requests and draws conclusions until no further request would show anything. */
export const infer = async (given: Send, options: InferOptions = {}): Promise<Inference> => {
  const send: Send = async (question) => {
    const response = await given(question)
    checkKeyStillWorks(response)
    return response
  }
  const inference: Inference = {
    knowledge: createKnowledge(),
    tracker: createLedgerTracker(send, options.maxTransactions),
    conflicts: [],
    unstable: [],
    bounds: 0,
    isComplete: true,
    isCutShort: false,
  }
  options.onStart?.(inference)
  try {
    await addPages(inference)
    if (inference.isComplete) {
      await explore(inference, send, options.expected)
      await checkRepeat(inference, send)
    }
  } catch (error) {
    if (!(error instanceof RequestLimitReached)) throw error
    inference.isCutShort = true
  }
  return inference
}
