import type { Assumptions } from '../assumptions/index.ts'
import { requestOf, withinWindow } from './candidate.ts'
import { checkKeyStillWorks } from './check-service.ts'
import { explore, resolveMaxPage } from './explore.ts'
import { createKnowledge, type Evidence } from './knowledge.ts'
import { learn, statesBefore, sync, type Inference } from './learn.ts'
import { createLedgerTracker } from './ledger-tracker.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { fieldIn } from './model/observe.ts'
import { hugePage } from './model/parse-request.ts'
import { GrowthLimitReached, RequestLimitReached } from './problem.ts'
import type { ReadLedger } from './read-ledger.ts'
import type { Send } from './read-pages.ts'
import { repeatConflicts, repeatRichest } from './repeat.ts'
import { showsUser } from './settled.ts'
import { verdictsOf } from './verdicts.ts'

/** Most requests that look for what entered the ledger. */
const maxReads = 60

/**
 * A service that repeats its last page passes for one with one page, except on a second page that has transactions. The
 * same page tells a largest page of 1 from a larger one, which is then looked for.
 */
const checkSecondPage = async (inference: Inference, send: Send): Promise<void> => {
  const { knowledge, tracker } = inference
  const values = knowledge.space.domains.get('maxPage') ?? []
  if (values.includes(null) || !values.includes(1) || tracker.hasShrunk) return
  const targets = ['maxPage']
  await learn(inference, send, { request: withinWindow(requestOf(null, { page: 2, limit: 1 }), tracker.copy), targets })
  if (knowledge.space.domains.get('maxPage')?.join() !== 'finite') return
  const above = withinWindow(requestOf(null, { page: hugePage, limit: 1 }), tracker.copy)
  await resolveMaxPage(inference, send, await learn(inference, send, { request: above, targets }))
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

/** If the ledger has changed, finds out whether it removes transactions as others enter. */
export const checkOldest = async (inference: Inference, send: Send): Promise<void> => {
  const { knowledge, tracker, progress } = inference
  if (progress.changes === 0 || tracker.hasShrunk) return
  await tracker.checkOldest(send, knowledge.space.domains.get('pageUnit')?.includes('group') === true)
  inference.hasCheckedOldest = true
}

/** What no value explains may be of a ledger that changed unnoticed, with as many transactions as before. */
const checkUnexplained = async (inference: Inference): Promise<void> => {
  const { progress, tracker } = inference
  const isExplained = verdictsOf(inference).every(({ verdict }) => verdict !== 'outside')
  if (progress.changes === 0 && !isExplained) await sync(inference, () => tracker.updateNewest())
}

/** Adds the responses by which the ledger was read: it may have grown meanwhile. */
const addPages = async (inference: Inference): Promise<void> => {
  const { knowledge, tracker, conflicts } = inference
  const read = await tracker.start()
  inference.isComplete = read.isComplete
  inference.reason = read.isComplete ? undefined : read.reason
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
      const states = hasGrown || totalsIn(read).size > 1 ? statesBefore(tracker.copy) : { copies: [tracker.copy] }
      conflicts.push(...knowledge.add({ ...one, ...states }, true))
    }
  }
  const count = knowledge.evidence.length
  inference.progress = { pages: count, syncedAt: count, last: tracker.copy, changes: 0, unchanged: 0 }
}

/** If the ledger could not be read again, nobody knows of which state the last responses are: they show nothing. */
const forgetUnsettled = ({ knowledge, progress, conflicts, isReading }: Inference): void => {
  if (progress.changes === 0 && !isReading) return
  const { syncedAt, last } = progress
  const unsettled = new Set(
    knowledge.evidence.filter(
      ({ request, response }, index) => index >= syncedAt && !showsUser(request, response, last),
    ),
  )
  const responses = new Set([...unsettled].map(({ response }) => response))
  const left = conflicts.filter(({ evidence }) => !responses.has(evidence.response))
  const found = knowledge.revise((one) => (unsettled.has(one) ? { ...one, copies: [] } : one))
  conflicts.splice(0, conflicts.length, ...left, ...found)
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
  let reads: number | undefined
  /** Reads the ledger: as often as needed at first, then up to a limit. */
  const read: Send = (request) => {
    if (reads !== undefined && reads++ >= maxReads) throw new GrowthLimitReached()
    return send(request)
  }
  const tracker = createLedgerTracker(read, options.maxTransactions)
  const inference: Inference = {
    knowledge: createKnowledge(),
    tracker,
    progress: { pages: 0, syncedAt: 0, last: tracker.copy, changes: 0, unchanged: 0 },
    conflicts: [],
    unstable: [],
    contradictions: 0,
    hasRepeated: false,
    hasCheckedOldest: false,
    isReading: false,
    bounds: 0,
    boundTries: 0,
    isComplete: true,
    isCutShort: false,
    lacks: 'more requests',
    expected: options.expected,
  }
  options.onStart?.(inference)
  const upToLimit = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RequestLimitReached)) throw error
      inference.isCutShort = true
      if (error instanceof GrowthLimitReached) inference.lacks = 'a ledger that grows more slowly while it is probed'
    }
  }
  await upToLimit(async () => {
    await addPages(inference)
    reads = 0
    if (!inference.isComplete) return
    await explore(inference, send, options.expected)
    await checkSecondPage(inference, send)
    await repeatConflicts(inference, send)
    if (!inference.hasRepeated) await repeatRichest(inference, send)
    await checkUnexplained(inference)
  })
  if (inference.isCutShort) forgetUnsettled(inference)
  await upToLimit(() => checkOldest(inference, send))
  // Tests of the result have the limit of requests only.
  reads = undefined
  return inference
}
