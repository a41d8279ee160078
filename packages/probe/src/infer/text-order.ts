import { nameComparisons } from '@guild-ledger/mock-server/assumptions'
import { compareText } from './aspects.ts'
import type { Value } from './domains.ts'
import type { Observation } from './observation.ts'
import { pairsOf } from './order.ts'

type Compare = (a: string, b: string) => number

const { 'code-point': byCodePoint, 'case-insensitive': inLowerCase } = nameComparisons
/** Orders of texts that real services have, whether a value describes them or not. */
const orders: readonly Compare[] = [
  ...Object.values(nameComparisons),
  (a, b) => inLowerCase(a, b) || byCodePoint(a, b),
  new Intl.Collator('en', { sensitivity: 'base' }).compare,
  new Intl.Collator('en', { numeric: true }).compare,
]
const ordersOf: Readonly<Record<string, Compare>> = {
  ...nameComparisons,
  'platform-id': compareText,
  'platform-id-descending': compareText,
}

/** What would tell an order of texts from others that agree with all responses; `undefined` if nothing has to. */
export const needsOfTextOrder = (
  key: 'nameOrder' | 'groupOrder',
  value: Value,
  observations: readonly Observation[],
): string | undefined => {
  const own = ordersOf[String(value)]
  if (!own) return undefined
  const isOfNames = key === 'nameOrder'
  const lists = observations.flatMap(({ request, groups }) => {
    if (!isOfNames) return [groups.map(({ platformId }) => platformId)]
    return request.query?.['sortBy'] === 'name' ? groups.map((one) => one.transactions.map(({ name }) => name)) : []
  })
  const texts = [...new Set(lists.flat())]
  const differs = (other: Compare) =>
    texts.some((a) => texts.some((b) => Math.sign(own(a, b)) !== Math.sign(other(a, b))))
  const isToldApart = (other: Compare) => lists.flatMap(pairsOf).some(([a, b]) => own(a, b) * other(a, b) < 0)
  const isDoubtful = orders.some((other) => other !== own && !isToldApart(other) && (isOfNames || differs(other)))
  const whose = isOfNames ? 'Names of one user that' : 'Users whose ids'
  return isDoubtful
    ? `${whose} differ in case, accents, digits and signs would show it: other orders look the same.`
    : undefined
}
