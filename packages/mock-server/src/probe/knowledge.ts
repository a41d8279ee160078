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
  /** Replaces pieces of evidence, and adds everything to a new space. */
  revise(change: (evidence: Evidence, index: number) => Evidence): void
  /** The largest page that a response proved valid. */
  knownPage: number
  /** What of a response nothing explains. With `isFinal` the rest of the response is added anyway. */
  add(evidence: Evidence, isFinal: boolean): Conflict[]
  /** Replaces the values of a variable and adds all evidence to a new space. */
  replace(variable: string, values: readonly Value[]): void
  /** Draws no conclusion from an aspect any more, as nothing explains it: what explains part of it by accident is wrong. */
  distrust(aspect: Aspect): void
}

const decidesFirst: readonly Aspect[] = ['status', 'page', 'limit', 'createdAtFormat', 'total', 'transactionCount']
const decidesLater = aspects.filter((aspect) => !decidesFirst.includes(aspect))

/** Creates knowledge of nothing. */
export const createKnowledge = (): Knowledge => {
  const domains = createDomains()
  const evidence: Evidence[] = []
  let space = createSpace(domains)
  const order = createOrderEvidence()
  const distrusted = new Set<Aspect>()

  /**
   * What explains an aspect of a response. If the ledger changed about that time, only what does not depend on the change
   * counts: the ledger may have been in any state in between.
   */
  const explanations = ({ question, copies, response }: Evidence, aspect: Aspect, into: Space) => {
    if (distrusted.has(aspect)) return undefined
    const found = copies.map((copy) => {
      const observed = observe(response, copy).observation[aspect]
      const setting = { copy, knownPage: knowledge.knownPage }
      return observed === undefined
        ? undefined
        : { observed, ...leavesOf(question, setting, { aspect, observed }, into.domains) }
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

  const rebuild = (): void => {
    space = createSpace(domains)
    for (const one of evidence) explain(one, space)
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
      if (copy) noteOrder(order, one.question, observe(one.response, copy), copy)
      for (const { aspect } of conflicts) knowledge.distrust(aspect)
      return conflicts
    },
    revise(change) {
      for (const [index, one] of evidence.entries()) evidence[index] = change(one, index)
      rebuild()
    },
    replace(variable, values) {
      domains.set(variable, values)
      rebuild()
    },
    distrust(aspect) {
      // Every conclusion rests on the status. A conflict about it concerns only what the request is about.
      if (aspect === 'status' || distrusted.has(aspect)) return
      distrusted.add(aspect)
      rebuild()
    },
  }
  return knowledge
}
