import type { Conflict, Evidence } from './knowledge.ts'
import type { Inference } from './learn.ts'
import { allows } from './model/aspects.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'

/** The variables that an aspect is about. */
const primary: Readonly<Record<string, readonly string[]>> = {
  page: ['maxPage'],
  limit: ['userLimit'],
  total: ['totalUnit', 'pageUnit'],
  totalPages: ['emptyTotalPages', 'totalUnit'],
  groupCount: ['pageUnit'],
  transactionCount: ['pageUnit', 'userLimit'],
  order: ['tieOrder', 'nameOrder', 'userSortBy', 'userSortOrder'],
  groups: ['groupOrder'],
  totalTransactions: ['summaryScope'],
  uniqueUsers: ['summaryScope'],
  totalValue: ['totalValueOf', 'summaryScope'],
  createdAtFormat: ['createdAtFormat'],
}

const filters: Readonly<Record<string, string>> = {
  from: 'sourceMatch',
  startDate: 'startDateBound',
  endDate: 'endDateBound',
}

/** The variables of the filters in a request. The end of a window is no filter: there is no transaction at it. */
const filtersIn = ({ request, copies }: Evidence): string[] =>
  request.parameters.flatMap(([name, text]) =>
    name === 'endDate' && Date.parse(text) === copies[0]?.window?.end ? [] : (filters[name] ?? []),
  )

/** Whether only the order of equal sort values is unexplained. */
const isSorted = ({ evidence: { request, copies }, observed }: Conflict, { knowledge }: Inference): boolean => {
  const [copy] = copies
  if (!copy) return false
  const { knownPage, space } = knowledge
  const read = (variable: string): Value =>
    variable === 'tieOrder' ? 'ledger' : (space.domains.get(variable)?.[0] as Value)
  return allows(createPrediction(request, { copy, knownPage }, read)('order'), observed)
}

/** Variables whose behaviour nothing explains. */
export const contested = (inference: Inference): Set<string> => {
  const { conflicts, unstable } = inference
  const found = new Set<string>()
  for (const conflict of conflicts) {
    const { evidence, aspect, variables } = conflict
    const about = primary[aspect] ?? []
    const own = new Set([...about, ...evidence.targets])
    const blamed = variables.filter((variable) => own.has(variable))
    const all = blamed.length > 0 ? blamed : [...variables, ...about]
    for (const variable of [...all, ...evidence.targets]) found.add(variable)
    if (aspect === 'page') found.add('maxPage')
    // Then it does not show either what becomes of one that is too large.
    if (aspect === 'limit') found.add('invalidParameter.limitAbove')
    if (aspect === 'order' && !isSorted(conflict, inference)) for (const variable of about) found.add(variable)
    // What matches is wrong: any filter may be the cause.
    if (aspect === 'total' || aspect === 'status') for (const name of filtersIn(evidence)) found.add(name)
    // A wrong number of matches may look like none. A check says what it is about.
    if (aspect === 'total' && !variables.every((one) => evidence.targets.includes(one))) found.add('emptyTotalPages')
  }
  for (const { targets } of unstable) for (const target of targets) found.add(target)
  // What a page counts shows only on pages that are the requested ones.
  if (found.has('maxPage')) found.add('pageUnit')
  // Then what is rejected may look as if nothing matched.
  if (inference.knowledge.space.domains.get('notFoundWhen.match')?.join() === 'other') found.add('invertedRange.amount')
  return found.has('pageUnit') ? found.add('totalUnit') : found
}
