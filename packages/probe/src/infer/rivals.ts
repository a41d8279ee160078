import type { Observation } from './observation.ts'
import { compareText } from './aspects.ts'
import type { Value } from './domains.ts'

type Compare = (a: string, b: string) => number

const inLowerCase: Compare = (a, b) => compareText(a.toLowerCase(), b.toLowerCase())
/** Orders of texts that real services have, whether a value describes them or not. */
const orders: readonly Compare[] = [
  compareText,
  inLowerCase,
  (a, b) => inLowerCase(a, b) || compareText(a, b),
  new Intl.Collator('en').compare,
  new Intl.Collator('en', { sensitivity: 'base' }).compare,
  new Intl.Collator('en', { numeric: true }).compare,
]
const ordersOf: Readonly<Record<string, Compare>> = {
  'code-unit': compareText,
  'case-insensitive': inLowerCase,
  'platform-id': compareText,
  'platform-id-descending': compareText,
}

interface Item {
  readonly text: string
  readonly id: string
}

/** Whether items in the order of a value, and equal ones in that of their ids if `isById`, are in another one by a rival. */
const areToldApart = (items: readonly Item[], own: Compare, rival: Compare, isById: boolean): boolean =>
  items.some((a) =>
    items.some((b) => {
      const [mine, other] = [own(a.text, b.text), rival(a.text, b.text)]
      if (mine < 0 && other > 0) return true
      // Equal ones are in the order of ids.
      return isById && compareText(a.id, b.id) > 0 && (mine === 0) !== (other === 0) && (mine < 0 || other < 0)
    }),
  )

/** What would tell an order of texts from others that agree with all responses; `undefined` if nothing has to. */
export const rivalsOf = (
  key: 'nameOrder' | 'groupOrder',
  value: Value,
  observations: readonly Observation[],
  isById: boolean,
): string | undefined => {
  const own = ordersOf[String(value)]
  if (!own) return undefined
  const pages = observations.filter(({ request }) => key === 'groupOrder' || request.query?.['sortBy'] === 'name')
  const lists = pages.flatMap(({ groups }) =>
    key === 'groupOrder'
      ? [groups.map(({ platformId }) => ({ text: platformId, id: platformId }))]
      : groups.map(({ transactions }) => transactions.map((one) => ({ text: one.name, id: one.transactionId }))),
  )
  const texts = [...new Set(lists.flat().map(({ text }) => text))]
  const differs = (rival: Compare) =>
    rival !== own && texts.some((a) => texts.some((b) => Math.sign(own(a, b)) !== Math.sign(rival(a, b))))
  // An order that is the same for all of these texts is no other one.
  const open = orders.filter(
    (rival) => rival !== own && !lists.some((items) => areToldApart(items, own, rival, isById)),
  )
  const whose = key === 'groupOrder' ? 'users whose ids' : 'names of one user that'
  return open.some((rival) => differs(rival) || key === 'nameOrder')
    ? `${whose} differ in case, accents, digits and signs: other orders of text look the same`
    : undefined
}
