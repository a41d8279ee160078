import { aspects, type Aspect } from './model/aspects.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe, type RawResponse } from './model/observe.ts'
import { createDomains, type Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import { createOrderEvidence, noteOrder, type OrderEvidence } from './order-constraints.ts'
import { leavesOf, nameOf } from './space/leaves.ts'
import { createSpace, type Space } from './space/space.ts'

/** A response, and the ledger as it was then: one state, or those before and after where it changed about that time. */
export interface Evidence extends Candidate {
  readonly copies: readonly LedgerCopy[]
  readonly response: RawResponse
  /** Whether the ledger may have been in any state between the first and the last of these. */
  readonly isBetween?: boolean
}

/** An aspect of a response that no combination of values explains. */
export interface Conflict {
  readonly evidence: Evidence
  readonly aspect: Aspect
  readonly observed: string
  /** The variables that the prediction of the aspect needs. */
  readonly variables: readonly string[]
}

/** What is known of the service. */
export interface Knowledge {
  readonly space: Space
  readonly order: OrderEvidence
  readonly evidence: readonly Evidence[]
  /** Replaces pieces of evidence, and adds everything to a new space. Returns what nothing explains any more. */
  revise(change: (evidence: Evidence, index: number) => Evidence): Conflict[]
  /** The largest page that a response proved valid. */
  knownPage: number
  /** What of a response nothing explains. With `isFinal` the rest of the response is added anyway. */
  add(evidence: Evidence, isFinal: boolean): Conflict[]
  /** Replaces the values of a variable and adds all evidence to a new space. Returns what nothing explains any more. */
  replace(variable: string, values: readonly Value[]): Conflict[]
  /** Whether all evidence has an explanation with other values of a variable. */
  wouldExplain(variable: string, values: readonly Value[]): boolean
}

const decidesFirst: readonly Aspect[] = ['status', 'page', 'limit', 'createdAtFormat', 'total', 'transactionCount']
const decidesLater = aspects.filter((aspect) => !decidesFirst.includes(aspect))

/** What does not change in between, if it is the same before and after. What it contains may be in none of two states. */
const monotonous: ReadonlySet<Aspect> = new Set(['status', 'page', 'limit', 'createdAtFormat'])

/** Creates knowledge of nothing. */
export const createKnowledge = (): Knowledge => {
  const domains = createDomains()
  const evidence: Evidence[] = []
  let space = createSpace(domains)
  const order = createOrderEvidence()
  const distrusted = new Set<Aspect>()
  const reported = new WeakMap<RawResponse, Set<Aspect>>()

  /**
   * What explains an aspect of a response. If the ledger changed about that time, only what does not depend on the change
   * counts: the ledger may have been in any state in between.
   */
  const explanations = ({ request, copies, response, isBetween }: Evidence, aspect: Aspect, into: Space) => {
    if (distrusted.has(aspect) || (isBetween && !monotonous.has(aspect))) return undefined
    const found = copies.map((copy) => {
      const observed = observe(response, copy).observation[aspect]
      const setting = { copy, knownPage: knowledge.knownPage }
      return observed === undefined
        ? undefined
        : { observed, ...leavesOf(request, setting, { aspect, observed }, into.domains) }
    })
    const [first, ...others] = found
    if (!first) return undefined
    const isSame = others.every((other) => other && nameOf(other.leaves) === nameOf(first.leaves))
    return others.length > 0 && (!isSame || first.leaves.length === 0) ? undefined : first
  }

  /** Adds the aspects that something explains. */
  const explain = (one: Evidence, into: Space): Conflict[] => {
    const conflicts: Conflict[] = []
    // Most responses are explained: then few searches for combinations are enough. What leaves few values comes first.
    const trial = into.fork()
    const areExplained = [decidesFirst, decidesLater].every((some) => {
      const all = some.flatMap((aspect) => {
        const explanation = explanations(one, aspect, trial)
        return explanation ? [explanation.leaves] : []
      })
      return all.every(({ length }) => length > 0) && trial.addAll(all)
    })
    if (areExplained) {
      into.become(trial)
      return []
    }
    for (const aspect of aspects) {
      const explanation = explanations(one, aspect, into)
      if (!explanation) continue
      const { observed, leaves, variables } = explanation
      if (leaves.length > 0 && into.add(leaves)) continue
      conflicts.push({ evidence: one, aspect, observed, variables: [...variables] })
    }
    return conflicts
  }

  /** Those conflicts that were not found before. */
  const notReported = (conflicts: readonly Conflict[]): Conflict[] =>
    conflicts.filter(({ evidence: { response }, aspect }) => {
      const known = reported.get(response) ?? new Set()
      reported.set(response, known)
      return !known.has(aspect) && known.add(aspect)
    })

  /** Adds all evidence to a new space. Returns what nothing explains any more. */
  const rebuild = (): Conflict[] => {
    space = createSpace(domains)
    return distrust(evidence.flatMap((one) => explain(one, space)))
  }

  /**
   * Draws no conclusion any more from aspects that nothing explains: what explains part of them by accident is wrong.
   * Returns these conflicts, and those that follow.
   */
  const distrust = (conflicts: readonly Conflict[]): Conflict[] => {
    const found = notReported(conflicts)
    // Every conclusion rests on the status. A conflict about it concerns only what the request is about.
    const doubtful = conflicts.filter(({ aspect }) => aspect !== 'status' && !distrusted.has(aspect))
    for (const { aspect } of doubtful) distrusted.add(aspect)
    return doubtful.length > 0 ? [...found, ...rebuild()] : found
  }

  const knowledge: Knowledge = {
    knownPage: 1,
    order,
    evidence,
    get space() {
      return space
    },
    add(one, isFinal) {
      const trial = space.fork()
      const conflicts = explain(one, trial)
      if (conflicts.length > 0 && !isFinal) return conflicts
      space = trial
      evidence.push(one)
      const [copy] = one.copies
      if (copy) noteOrder(order, one.request, observe(one.response, copy), copy)
      return distrust(conflicts)
    },
    revise(change) {
      for (const [index, one] of evidence.entries()) evidence[index] = change(one, index)
      return rebuild()
    },
    wouldExplain(variable, values) {
      const trial = createSpace(new Map(domains).set(variable, values))
      return evidence.every((one) => explain(one, trial).length === 0)
    },
    replace(variable, values) {
      domains.set(variable, values)
      return rebuild()
    },
  }
  return knowledge
}
