import type { Assumptions } from '../assumptions/index.ts'
import { confirmBounds } from './confirm-bounds.ts'
import { boundsNeeded } from './filter-candidates.ts'
import { learn, sync, unsettled, type Inference } from './learn.ts'
import { chooseCandidate } from './choose.ts'
import { createCandidates } from './create-candidates.ts'
import { excludeByOrder } from './exclude-by-order.ts'
import { findMaxPage } from './find-max-page.ts'
import type { Knowledge } from './knowledge.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import type { RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-request.ts'
import { assumptionOf } from './model/variables.ts'
import { requestOf, type Candidate } from './candidate.ts'
import { createCountOutcomes } from './outcomes.ts'
import type { Send } from './read-pages.ts'
import { repeatRichest } from './repeat.ts'

const maxFruitless = 3
const maxFruitlessFor = 3
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
export const resolveMaxPage = async (inference: Inference, send: Send, above: RawResponse): Promise<boolean> => {
  const { knowledge, tracker, conflicts } = inference
  const values = knowledge.space.domains.get('maxPage') ?? []
  if (values.length !== 1 || values[0] !== 'finite') return false
  const most = await findMaxPage(send, above, knowledge.knownPage)
  if (most !== undefined) {
    // As long as it was unknown, it explained anything: also what the ledger had before or after a change.
    if (!knowledge.wouldExplain('maxPage', [most])) await sync(inference, () => tracker.updateNewest())
    conflicts.push(...knowledge.replace('maxPage', [most]))
    return true
  }
  const evidence = { request: requestOf(null, {}), targets: ['maxPage'], copies: [tracker.copy], response: above }
  conflicts.push({ evidence, aspect: 'page', observed: 'no largest page', variables: ['maxPage'] })
  return true
}

/** Sends requests until none would show anything more. */
export const explore = async (inference: Inference, send: Send, expected?: Partial<Assumptions>): Promise<void> => {
  const isUseful = (candidate: Candidate): boolean =>
    !expected || candidate.targets.some((target) => Object.hasOwn(expected, assumptionOf(target)))
  const { knowledge, tracker } = inference
  const sent = new Map(knowledge.evidence.map((one) => [keyOf(one), 1]))
  let copy: LedgerCopy | undefined
  let candidates: Candidate[] = []
  let countOutcomes = createCountOutcomes({ copy: tracker.copy, knownPage: knowledge.knownPage })
  let [fruitless, directions] = [0, 0]
  let rounds = 0
  /** How many requests about a variable showed nothing, since one did. */
  const fruitlessFor = new Map<string, number>()
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
      countOutcomes = createCountOutcomes({ copy, knownPage: knowledge.knownPage })
    }
    const { changes, unchanged } = inference.progress
    if (changes > 0 && unsettled(inference) >= (unchanged < 3 ? 1 : syncEvery)) {
      await sync(inference, () => tracker.updateNewest())
      continue
    }
    excludeByOrder(inference)
    const decisiveOnly = fruitless >= maxFruitless
    const isPromising = (variable: string): boolean => (fruitlessFor.get(variable) ?? 0) < maxFruitlessFor
    // Several of these are needed whatever they show, and they show other things as well.
    const nextBound = inference.bounds < boundsNeeded ? candidates.find(isBound) : undefined
    if (!nextBound && (await confirmBounds(inference, send))) continue
    const choose = (how: Parameters<typeof chooseCandidate>[3]) =>
      chooseCandidate(candidates, knowledge.space, countOutcomes, how)
    // What will exclude something is sent in any case, but last: other requests may make it unnecessary.
    const choice = nextBound
      ? undefined
      : (choose({ decisiveOnly, isPromising }) ?? choose({ decisiveOnly: true, isPromising: () => true }))
    const next = nextBound ?? choice?.candidate ?? nextDirection()
    if (!next) {
      if (changes === 0 && !inference.hasRepeated && (await repeatRichest(inference, send))) return
      // Responses that a change of the ledger explains must not decide anything else.
      const hasChanged = await sync(inference, () => tracker.updateNewest())
      if (!hasChanged || rounds++ >= maxRounds) return
      continue
    }
    const before = sizeOf(knowledge)
    const { domains } = knowledge.space
    const repeats = sent.get(keyOf(next)) ?? 0
    sent.set(keyOf(next), repeats + 1)
    candidates = candidates.filter((candidate) => candidate !== next)
    const response = await learn(inference, send, next, { repeats })
    excludeByOrder(inference)
    if (isBound(next)) inference.bounds++
    const isFruitless = sizeOf(knowledge) === before
    for (const target of next.targets) {
      const isSame = knowledge.space.domains.get(target)?.length === domains.get(target)?.length
      fruitlessFor.set(target, isSame ? (fruitlessFor.get(target) ?? 0) + Number(isFruitless) : 0)
    }
    if (choice?.isDecisive === false && isFruitless) fruitless++
    if (isHuge(next)) aboveAll = response
    if (aboveAll && (await resolveMaxPage(inference, send, aboveAll))) aboveAll = undefined
  }
}
