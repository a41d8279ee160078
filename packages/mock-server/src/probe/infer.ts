import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { boundsNeeded } from './filter-questions.ts'
import { chooseCandidate, createPredictions } from './choose.ts'
import { excludeByOrder } from './exclude-by-order.ts'
import { findMaxPage } from './find-max-page.ts'
import { createKnowledge, type Conflict, type Evidence, type Knowledge } from './knowledge.ts'
import { createLedgerCopy, type LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-question.ts'
import { isForeign } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import { createCandidates } from './questions.ts'
import { readLedger, readNewer, type Send } from './read-ledger.ts'

/** What the requests showed. */
export interface Inference {
  readonly knowledge: Knowledge
  readonly copy: LedgerCopy
  readonly conflicts: readonly Conflict[]
  /** Questions that got two different responses while the ledger stayed the same. */
  readonly unstable: readonly Candidate[]
  /** Times of transactions that were requested as bounds. */
  readonly bounds: number
  /** Whether the ledger lost transactions meanwhile, or they changed. */
  readonly hasShrunk: boolean
  /** Whether the largest page could not be found. */
  readonly isComplete: boolean
  /** Whether the limit of requests ended it. */
  readonly isCutShort: boolean
  /** What could still be requested. */
  readonly remaining: readonly Candidate[]
}

/** Thrown by `send` once the limit of requests is reached. */
export class RequestLimitReached extends Error {}

const isHuge = ({ question }: Candidate): boolean => question.parameters.some(([, text]) => text === String(hugePage))

const maxFruitless = 3
const maxDirections = 3

/** How many values are left in all. */
const sizeOf = ({ space }: Knowledge): number => [...space.domains.values()].reduce((sum, { length }) => sum + length, 0)

/** Sends requests and draws conclusions until no further request would show anything. */
export const infer = async (send: Send): Promise<Inference> => {
  const knowledge = createKnowledge()
  const conflicts: Conflict[] = []
  const unstable: Candidate[] = []
  let copy = createLedgerCopy([])
  let bounds = 0
  let fruitless = 0
  let directions = 0
  let hasShrunk = false
  let isComplete = true
  let isCutShort = false
  let candidates: Candidate[] = []
  let predictions = createPredictions({ copy, knownPage: 1 })
  const sent = new Set<string>()

  const setCopy = (entries: readonly LedgerEntry[]): void => {
    copy = createLedgerCopy(entries)
    candidates = createCandidates(copy).filter(({ question }) => !sent.has(JSON.stringify(question)))
    predictions = createPredictions({ copy, knownPage: knowledge.knownPage })
  }

  /** Reads what was added meanwhile. Returns whether anything was. */
  const catchUp = async (): Promise<boolean> => {
    const entries = new Map(copy.items.map(({ entry }) => [entry.transactionId, entry]))
    const before = entries.size
    if (before > 0) await readNewer(send, entries, 1000)
    if (entries.size === before) {
      const all = await readLedger(send)
      hasShrunk ||= all.entries.length < before || all.entries.some((one) => isEdited(one))
      if (all.entries.length === before) return false
      setCopy(all.entries)
      return true
    }
    setCopy([...entries.values()])
    return true
  }
  const isEdited = (entry: LedgerEntry): boolean => {
    const known = copy.byId.get(entry.transactionId)
    return known !== undefined && JSON.stringify(known.entry) !== JSON.stringify(entry)
  }

  const learn = async (candidate: Candidate): Promise<RawResponse> => {
    sent.add(JSON.stringify(candidate.question))
    candidates = candidates.filter((one) => one !== candidate)
    let response = await send(candidate.question)
    const evidenceOf = (): Evidence => ({ ...candidate, copy, response })
    if (knowledge.add(evidenceOf(), false).length === 0) return response
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = observe(response, copy)
      response = await send(candidate.question)
      if (knowledge.add(evidenceOf(), false).length === 0) {
        if (JSON.stringify(before.observation) !== JSON.stringify(observe(response, copy).observation)) unstable.push(candidate)
        return response
      }
      const hasMoved = await catchUp()
      if (!hasMoved) break
      if (knowledge.add(evidenceOf(), false).length === 0) return response
    }
    conflicts.push(...knowledge.add(evidenceOf(), true))
    return response
  }

  const resolveMaxPage = async (above: RawResponse): Promise<void> => {
    const most = await findMaxPage(send, above, knowledge.knownPage)
    if (most === undefined) conflicts.push({ evidence: { question: { user: null, parameters: [] }, targets: ['maxPage'], copy, response: above }, aspect: 'page', observed: '', variables: ['maxPage'] })
    else knowledge.replace('maxPage', [most])
  }

  const needsBounds = (): Candidate | undefined => {
    if (bounds >= boundsNeeded) return undefined
    return candidates.find(({ targets }) => targets[0] === 'startDateBound')
  }

  /** Ties that may be reversed by descending sorts need one more sort to tell. */
  const needsDirection = (): Candidate | undefined => {
    const values = knowledge.space.domains.get('tieOrder') ?? []
    if (!values.includes('ledger') || !values.includes('ledger-as-sort-order') || directions++ >= maxDirections) return undefined
    return candidates.find(({ targets }) => targets.includes('tieOrder'))
  }

  try {
    const read = await readLedger(send)
    isComplete = read.isComplete
    knowledge.knownPage = read.knownPage
    setCopy(read.entries)
    for (const { candidate, response } of read.responses) {
      conflicts.push(...knowledge.add({ ...candidate, copy, response }, true))
    }
    for (;;) {
      excludeByOrder(knowledge, copy)
      const choice = chooseCandidate(candidates, knowledge.space, predictions, fruitless >= maxFruitless)
      const next = choice?.candidate ?? needsBounds() ?? needsDirection()
      if (!next) break
      const before = sizeOf(knowledge)
      const response = await learn(next)
      excludeByOrder(knowledge, copy)
      if (choice?.isDecisive === false && sizeOf(knowledge) === before) fruitless++
      if (next.targets[0] === 'startDateBound') bounds++
      const most = knowledge.space.domains.get('maxPage') ?? []
      if (isHuge(next) && most.length === 1 && most[0] === 'finite') await resolveMaxPage(response)
    }
  } catch (error) {
    if (!(error instanceof RequestLimitReached)) throw error
    isCutShort = true
  }
  return { knowledge, copy, conflicts, unstable, bounds, hasShrunk, isComplete, isCutShort, remaining: candidates }
}

/** Whether values are of the assumption. */
export const realValues = (variable: string, values: readonly (string | number | boolean | null)[]) =>
  values.filter((value) => !isForeign(variable, value))
