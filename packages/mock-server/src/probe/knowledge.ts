import { aspects, type Aspect } from './model/aspects.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe, type Observed, type RawResponse } from './model/observe.ts'
import { createDomains, type Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import { createOrderEvidence, noteOrder, type OrderEvidence } from './order-constraints.ts'
import { leavesOf } from './space/leaves.ts'
import { createSpace, type Space } from './space/space.ts'

/** A response, and the ledger as it was then. */
export interface Evidence extends Candidate {
  readonly copy: LedgerCopy
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

  /** Adds the aspects that something explains. */
  const explain = (one: Evidence, observed: Observed, into: Space): Conflict[] => {
    const { question, copy } = one
    const conflicts: Conflict[] = []
    const setting = { copy, knownPage: knowledge.knownPage }
    // Most responses are explained: then few searches for combinations are enough. What leaves few values comes first.
    const trial = into.fork()
    const areExplained = [decidesFirst, decidesLater].every((some) => {
      const all = some.flatMap((aspect) => {
        const value = distrusted.has(aspect) ? undefined : observed.observation[aspect]
        return value === undefined ? [] : [leavesOf(question, setting, { aspect, observed: value }, trial.domains).leaves]
      })
      return all.every(({ length }) => length > 0) && trial.addAll(all)
    })
    if (areExplained) {
      into.become(trial)
      return []
    }
    for (const aspect of aspects) {
      const value = distrusted.has(aspect) ? undefined : observed.observation[aspect]
      if (value === undefined) continue
      const { leaves, variables } = leavesOf(question, setting, { aspect, observed: value }, into.domains)
      if (leaves.length > 0 && into.add(leaves)) continue
      conflicts.push({ evidence: one, aspect, observed: value, variables: [...variables] })
    }
    return conflicts
  }

  const rebuild = (): void => {
    space = createSpace(domains)
    for (const one of evidence) explain(one, observe(one.response, one.copy), space)
  }

  const knowledge: Knowledge = {
    knownPage: 1,
    order,
    evidence,
    get space() {
      return space
    },
    add(one, isFinal) {
      const observed = observe(one.response, one.copy)
      const trial = space.fork()
      const conflicts = explain(one, observed, trial)
      if (conflicts.length > 0 && !isFinal) return conflicts
      space = trial
      evidence.push(one)
      noteOrder(order, one.question, observed, one.copy)
      for (const { aspect } of conflicts) knowledge.distrust(aspect)
      return conflicts
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
