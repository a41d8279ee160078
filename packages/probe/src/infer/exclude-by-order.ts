import type { Inference } from './inference.ts'
import type { EntryOrder } from './order.ts'

/** Rules out "as they entered the ledger" where responses show that it cannot be so. */
export const excludeByOrder = (inference: Inference, orderOf: () => EntryOrder): void => {
  const values = (key: 'tieOrder' | 'groupOrder') => inference.domains.get(key) ?? []
  const [ties, groups] = [values('tieOrder'), values('groupOrder')]
  if (![...ties, ...groups].includes('ledger')) return
  const order = orderOf()
  const isById = groups.some((value) => String(value).startsWith('platform-id'))
  if (ties.includes('ledger') && order.excludesTies(ties.includes('transaction-id')))
    inference.exclude('tieOrder', 'ledger', 'order')
  if (groups.includes('ledger') && order.excludesUsers(isById)) inference.exclude('groupOrder', 'ledger', 'groups')
}
