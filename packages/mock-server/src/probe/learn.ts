import type { Assumptions } from '../assumptions/index.ts'
import type { Candidate } from './candidate.ts'
import type { Conflict, Evidence, Knowledge } from './knowledge.ts'
import type { LedgerTracker } from './ledger-tracker.ts'
import type { Aspect } from './model/aspects.ts'
import { createLedgerCopy, type LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import type { Value } from './model/variables.ts'
import type { Send } from './read-pages.ts'
import { showsLedger, showsUser } from './settled.ts'
import { variantOf } from './variant.ts'

/** Which responses were of which state of the ledger. */
interface Progress {
  /** How many responses the ledger was first read by. */
  readonly pages: number
  /** How many responses there were when it was last read. */
  readonly syncedAt: number
  /** The ledger as it was then. */
  readonly last: LedgerCopy
  /** How often it has changed. */
  readonly changes: number
  /** How often it was read since without a change. */
  readonly unchanged: number
}

/** What the requests showed. */
export interface Inference {
  readonly knowledge: Knowledge
  readonly tracker: LedgerTracker
  readonly conflicts: Conflict[]
  /** Requests that got different responses while the ledger stayed the same. */
  readonly unstable: Candidate[]
  /** How many responses showed that the same request gets another status, page or total each time. */
  contradictions: number
  /** Whether a request was repeated to see whether its response stays the same. */
  hasRepeated: boolean
  /** Whether the oldest transactions were requested again, if the ledger has changed. */
  hasCheckedOldest: boolean
  /** Whether what changed in the ledger is being read. */
  isReading: boolean
  /** How many transactions were requested by their time as a bound. */
  bounds: number
  /** How many requests were sent to confirm the bounds. */
  boundTries: number
  /** The bounds that these confirmed. */
  confirmedBounds?: readonly Value[] | undefined
  /** How many responses were of the ledger as it was last read. */
  progress: Progress
  /** Whether the whole ledger could be read. */
  isComplete: boolean
  /** Why it could not, if that is known. */
  reason?: string | undefined
  /** The values of an earlier probe, if only these are checked. */
  readonly expected?: Partial<Assumptions> | undefined
  /** Whether a limit of requests ended it. */
  isCutShort: boolean
  /** What would be needed then. */
  lacks: string
}

const differ = (a: RawResponse, b: RawResponse, copy: LedgerCopy): boolean =>
  JSON.stringify(observe(a, copy).observation) !== JSON.stringify(observe(b, copy).observation)

const firm: readonly Aspect[] = ['status', 'page', 'limit', 'total', 'totalPages', 'totalTransactions', 'uniqueUsers']

/** Whether two responses to the same request differ in more than an order, although the ledger is the same. */
export const contradict = (a: RawResponse, b: RawResponse, copy: LedgerCopy): boolean => {
  const [first, second] = [observe(a, copy).observation, observe(b, copy).observation]
  return firm.some((aspect) => first[aspect] !== second[aspect])
}

/** One contradiction may be a fault. */
export const contradictionsNeeded = 2

const maxTries = 3
const maxTogether = 3

/** The states that a ledger may have had between two: what entered it may have done so in any order. */
const statesBetween = (before: LedgerCopy, after: LedgerCopy): Pick<Evidence, 'copies' | 'isBetween'> => {
  const entered = [...after.byId.values()].filter(({ entry }) => !before.byId.has(entry.transactionId))
  if (entered.length > (after.window ? 1 : maxTogether)) return { copies: [before, after], isBetween: true }
  const states = Array.from({ length: 2 ** entered.length }, (_, chosen) => {
    const absent = new Set(entered.filter((_item, i) => ((chosen >> i) & 1) === 0))
    return after.items.filter((item) => !absent.has(item)).map(({ entry }) => entry)
  })
  return { copies: [before, ...states.slice(1, -1).map((entries) => createLedgerCopy(entries)), after] }
}

/** Any earlier state of a ledger. */
export const statesBefore = (copy: LedgerCopy): Pick<Evidence, 'copies' | 'isBetween'> => ({
  copies: [copy, createLedgerCopy([])],
  isBetween: true,
})

/**
 * Reads what changed in the ledger. Every response since it was last read may be of the ledger before or after the change,
 * or in between. Returns whether anything changed.
 */
export const sync = async (inference: Inference, read: () => Promise<boolean>): Promise<boolean> => {
  const { knowledge, tracker, progress, conflicts } = inference
  const lateBefore = tracker.late
  inference.isReading = true
  const hasChanged = await read()
  inference.isReading = false
  // What entered late may have been in the ledger at any response since it was first read.
  const isLate = tracker.late > lateBefore
  const { pages, syncedAt, last } = progress
  if (hasChanged) {
    const isFirst = progress.changes === 0
    const between = statesBetween(last, tracker.copy)
    const found = knowledge.revise((one, index) => {
      if (index < pages) return isFirst ? { ...one, ...statesBefore(last) } : one
      if (isLate) return { ...one, ...statesBefore(tracker.copy) }
      return index >= syncedAt && !showsUser(one.request, one.response, last) ? { ...one, ...between } : one
    })
    conflicts.push(...found)
  }
  inference.progress = {
    pages,
    syncedAt: knowledge.evidence.length,
    last: tracker.copy,
    changes: progress.changes + Number(hasChanged),
    unchanged: hasChanged ? 0 : progress.unchanged + 1,
  }
  return hasChanged
}

/** Takes note of a response that shows that nothing has changed since the ledger was read: it need not be read again. */
const settle = (inference: Inference): void => {
  const { knowledge, tracker, progress } = inference
  const last = knowledge.evidence.at(-1)
  if (progress.changes === 0 || !last || !showsLedger(last.request, last.response, tracker.copy)) return
  inference.progress = { ...progress, syncedAt: knowledge.evidence.length, unchanged: progress.unchanged + 1 }
}

/** How many responses depend on whether the ledger has changed since it was read. */
export const unsettled = ({ knowledge, tracker, progress }: Inference): number =>
  knowledge.evidence
    .slice(progress.syncedAt)
    .filter(({ request, response }) => response.status === 200 && !showsUser(request, response, tracker.copy)).length

const roots: readonly Aspect[] = ['status', 'page', 'limit', 'total', 'transactionCount']

/** Of the conflicts of a check, the one that the others follow from, if there is such; it is about what was checked. */
const rootOf = (found: readonly Conflict[], { targets }: Candidate): readonly Conflict[] => {
  const root = roots.flatMap((aspect) => found.find((one) => one.aspect === aspect) ?? [])[0]
  return root ? [{ ...root, variables: targets.length > 0 ? targets : root.variables }] : found
}

/**
 * Adds a response; where nothing explains it, repeats the request and reads what changed in the ledger. If that of a check
 * is not explained, only what was checked is wrong.
 */
export const learn = async (
  inference: Inference,
  send: Send,
  candidate: Candidate,
  { repeats = 0, isCheck = false }: { readonly repeats?: number; readonly isCheck?: boolean } = {},
): Promise<RawResponse> => {
  const { knowledge, tracker, conflicts, unstable } = inference
  const explains = (response: RawResponse, copy: LedgerCopy): boolean =>
    knowledge.add({ ...candidate, copies: [copy], response }, false).length === 0
  let response = await send(variantOf(candidate.request, repeats))
  if (explains(response, tracker.copy)) {
    settle(inference)
    return response
  }
  for (let attempt = repeats + 1; attempt <= repeats + maxTries; attempt++) {
    const [before, copy] = [response, tracker.copy]
    let hasChanged = await sync(inference, () => tracker.updateNewest())
    response = await send(variantOf(candidate.request, attempt))
    if (explains(response, tracker.copy)) {
      if (hasChanged || !differ(before, response, copy)) return response
      // One odd response is a fault. Two are a service that responds differently each time, or a ledger that changes.
      const third = await send(variantOf(candidate.request, attempt + 1))
      if (await sync(inference, () => tracker.update())) return response
      if (differ(response, third, copy)) unstable.push(candidate)
      else inference.contradictions++
      return response
    }
    hasChanged = (await sync(inference, () => tracker.update())) || hasChanged
    if (hasChanged && explains(response, tracker.copy)) return response
    if (hasChanged) continue
    if (differ(before, response, copy)) unstable.push(candidate)
    break
  }
  const isMoving = inference.progress.unchanged === 0
  const uncertain = { ...candidate, ...statesBefore(inference.progress.last), response }
  if (isMoving && knowledge.add(uncertain, false).length === 0) return response
  const evidence = { ...candidate, copies: [tracker.copy], response }
  conflicts.push(...(isCheck ? rootOf(knowledge.add(evidence, false), candidate) : knowledge.add(evidence, true)))
  return response
}
