import type { Aspect, Prediction } from './aspects.ts'
import type { Setting } from './context.ts'
import { createDecisionTree, type DecisionTree } from './decision-tree.ts'
import { keptFor } from './kept-results.ts'
import { createPrediction } from './predict.ts'
import type { ProbeRequest } from './probe-request.ts'

/** What an aspect of the response to a request must be, for each combination of values. */
export const predictionsOf = (
  request: ProbeRequest,
  { copy, knownPage }: Setting,
  aspect: Aspect,
): DecisionTree<Prediction> =>
  keptFor(copy, [request, knownPage, aspect], () =>
    createDecisionTree((read) => createPrediction(request, { copy, knownPage }, read)(aspect)),
  )
