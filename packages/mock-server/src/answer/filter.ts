import type { Assumptions } from '../assumptions/values.ts'
import type { Condition, Filter } from '../store/selection.ts'
import type { ParsedQuery } from './parse-query.ts'

type FilterParameter = Exclude<keyof ParsedQuery, 'page' | 'limit' | 'sortBy' | 'sortOrder'>
type ToCondition<Value> = (value: Value, assumptions: Assumptions) => Condition

/** Which transactions each parameter selects. */
const conditions: { readonly [Name in FilterParameter]-?: ToCondition<NonNullable<ParsedQuery[Name]>> } = {
  platformId: (text) => ({ field: 'platformId', text, match: 'exact' }),
  from: (text, { sourceMatch }) => ({ field: 'source', text, match: sourceMatch }),
  minAmount: (min) => ({ field: 'amount', min }),
  maxAmount: (max) => ({ field: 'amount', max }),
  // Transactions are kept to the millisecond, so excluding a bound is moving it by one.
  startDate: (at, { startDateBound }) => ({ field: 'createdAt', min: at + Number(startDateBound === 'exclusive') }),
  endDate: (at, { endDateBound }) => ({ field: 'createdAt', max: at - Number(endDateBound === 'exclusive') }),
}

export const filterOf = (parsed: ParsedQuery, assumptions: Assumptions): Filter =>
  Object.entries(conditions).flatMap(([name, toCondition]) => {
    const value = parsed[name as FilterParameter]
    return value === undefined ? [] : [(toCondition as ToCondition<unknown>)(value, assumptions)]
  })
