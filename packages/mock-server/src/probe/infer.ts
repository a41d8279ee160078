import type { Assumptions } from '../assumptions/index.ts'
import { checkKeyStillWorks } from './check-service.ts'
import { boundsNeeded } from './filter-candidates.ts'
import { learn, sync, type Inference } from './learn.ts'
import { chooseCandidate, createPredictions } from './choose.ts'
import { excludeByOrder } from './exclude-by-order.ts'
import { findMaxPage } from './find-max-page.ts'
import { createKnowledge, type Evidence, type Knowledge } from './knowledge.ts'
import { createLedgerTracker } from './ledger-tracker.ts'
import { createLedgerCopy, type LedgerCopy } from './model/ledger-copy.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-request.ts'
import { assumptionOf } from './model/variables.ts'
import { requestOf, type Candidate } from './candidate.ts'
import { RequestLimitReached } from './problem.ts'
import { createCandidates } from './create-candidates.ts'
import type { ReadLedger, Send } from './read-ledger.ts'
import { checkRepeat } from './repeat.ts'

const maxFruitless = 3
const maxDirections = 3
const maxRounds = 4
const syncEvery = 5
const maxRepeats = 2

/** How many values are left in all. */
const sizeOf = ({ space }: Knowledge): number =>
  [...space.domains.values()].reduce((sum, { length }) => sum + length, 0)

const isHuge = ({ request }: Candidate): boolean => request.parameters.some(([, text]) => text === String(hugePage))
const isBound = ({ targets }: Candidate): boolean => targets[0] === 'startDateBound'
const keyOf = ({ request }: Candidate): string => JSON.stringify(request)

/** Finds the largest page once it is known that there is one. Returns whether it tried. */
const resolveMaxPage = async (inference: Inference, send: Send, above: RawResponse): Promise<boolean> => {
  const { knowledge, tracker, conflicts } = inference
  const values = knowledge.space.domains.get('maxPage') ?? []
  if (values.length !== 1 || values[0] !== 'finite') return false
  const most = await findMaxPage(send, above, Math.max(2, knowledge.knownPage))
  if (most !== undefined) {
    conflicts.push(...knowledge.replace('maxPage', [most]))
    return true
  }
  const evidence = { request: requestOf(null, {}), targets: ['maxPage'], copies: [tracker.copy], response: above }
  conflicts.push({ evidence, aspect: 'page', observed: 'no largest page', variables: ['maxPage'] })
  return true
}

/** A service that repeats its last page passes for one with one page, except on a second page that has transactions. */
const checkSecondPage = async (inference: Inference, send: Send): Promise<void> => {
  if (inference.knowledge.space.domains.get('maxPage')?.join() !== '1' || inference.tracker.hasShrunk) return
  await learn(inference, send, { request: requestOf(null, { page: 2, limit: 1 }), targets: ['maxPage'] })
}

/** The totals that the pages show: more than one if the ledger changed while it was read. */
const totalsIn = ({ responses }: ReadLedger): Set<string> =>
  new Set(
    responses
      .filter(({ response }) => response.status === 200)
      .map(({ response: { body } }) =>
        JSON.stringify([fieldIn(body, 'pagination', 'total'), fieldIn(body, 'summary')]),
      ),
  )

/** Adds the responses by which the ledger was read: it may have grown meanwhile. */
const addPages = async (inference: Inference): Promise<void> => {
  const { knowledge, tracker, conflicts } = inference
  const read = await tracker.start()
  inference.isComplete = read.isComplete
  // A part of the ledger explains no response, and there may be very many transactions.
  if (!read.isComplete) return
  knowledge.knownPage = read.knownPage
  if (read.knownPage > 1) conflicts.push(...knowledge.replace('maxPage', [null, 'finite']))
  const late: Evidence[] = []
  for (const { candidate, response } of read.responses) {
    const explains = (copies: LedgerCopy[]) => knowledge.add({ ...candidate, copies, response }, false).length === 0
    if (explains([tracker.copy])) continue
    late.push({ ...candidate, copies: [tracker.copy], response })
  }
  if (late.length > 0) {
    // It may have grown while it was read: then only what the first pages show in any case counts.
    const hasGrown = await tracker.updateNewest()
    for (const one of late) {
      const copies = hasGrown || totalsIn(read).size > 1 ? [tracker.copy, createLedgerCopy([])] : [tracker.copy]
      conflicts.push(...knowledge.add({ ...one, copies }, true))
    }
  }
  const count = knowledge.evidence.length
  inference.progress = { pages: count, syncedAt: count, last: tracker.copy, changes: 0, unchanged: 0 }
}

/** Sends requests until none would show anything more. */
const explore = async (inference: Inference, send: Send, expected?: Partial<Assumptions>): Promise<void> => {
  const isUseful = (candidate: Candidate): boolean =>
    !expected || candidate.targets.some((target) => Object.hasOwn(expected, assumptionOf(target)))
  const { knowledge, tracker } = inference
  const sent = new Map(knowledge.evidence.map((one) => [keyOf(one), 1]))
  let copy: LedgerCopy | undefined
  let candidates: Candidate[] = []
  let predictions = createPredictions({ copy: tracker.copy, knownPage: knowledge.knownPage })
  let [fruitless, directions] = [0, 0]
  let rounds = 0
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
      candidates = createCandidates(copy).filter(
        (candidate) =>
          (sent.get(keyOf(candidate)) ?? 0) <= Math.min(inference.progress.changes, maxRepeats) && isUseful(candidate),
      )
      predictions = createPredictions({ copy, knownPage: knowledge.knownPage })
    }
    const { changes, unchanged, syncedAt } = inference.progress
    const since = knowledge.evidence.slice(syncedAt).filter(({ response }) => response.status === 200).length
    if (changes > 0 && since >= (unchanged < 3 ? 1 : syncEvery)) {
      await sync(inference, () => tracker.updateNewest())
      continue
    }
    excludeByOrder(knowledge, tracker.copy)
    const decisiveOnly = fruitless >= maxFruitless
    const choice = chooseCandidate(candidates, knowledge.space, predictions, { decisiveOnly })
    const nextBound = inference.bounds < boundsNeeded ? candidates.find(isBound) : undefined
    const next = choice?.candidate ?? nextBound ?? nextDirection()
    if (!next) {
      // Responses that a change of the ledger explains must not decide anything else.
      const hasChanged = await sync(inference, () => tracker.updateNewest())
      if (!hasChanged || rounds++ >= maxRounds) return
      continue
    }
    const before = sizeOf(knowledge)
    const repeats = sent.get(keyOf(next)) ?? 0
    sent.set(keyOf(next), repeats + 1)
    candidates = candidates.filter((candidate) => candidate !== next)
    const response = await learn(inference, send, next, repeats)
    excludeByOrder(knowledge, tracker.copy)
    if (isBound(next)) inference.bounds++
    if (choice?.isDecisive === false && sizeOf(knowledge) === before) fruitless++
    if (isHuge(next)) aboveAll = response
    if (aboveAll && (await resolveMaxPage(inference, send, aboveAll))) aboveAll = undefined
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
  let hasStarted = false
  const send: Send = async (request) => {
    const response = await given(request)
    if (hasStarted) checkKeyStillWorks(response)
    hasStarted = true
    return response
  }
  const tracker = createLedgerTracker(send, options.maxTransactions)
  const inference: Inference = {
    knowledge: createKnowledge(),
    tracker,
    progress: { pages: 0, syncedAt: 0, last: tracker.copy, changes: 0, unchanged: 0 },
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
      await checkSecondPage(inference, send)
      await checkRepeat(inference, send)
    }
  } catch (error) {
    if (!(error instanceof RequestLimitReached)) throw error
    inference.isCutShort = true
  }
  return inference
}
