import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Evidence, Knowledge } from './knowledge.ts'
import type { Inference } from './learn.ts'
import type { LedgerCopy } from './model/ledger-copy.ts'
import { observe } from './model/observe.ts'
import type { Value } from './model/variables.ts'
import { followsTime } from './order-constraints.ts'

/** An accident less likely than one in ten to this many is taken for impossible. */
const impossible = -6.5

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether ids are random: then their order says nothing about the order in which transactions entered the ledger. */
export const areRandom = (entries: readonly LedgerEntry[]): boolean => {
  const ids = entries.map(({ transactionId }) => transactionId)
  if (!ids.every((id) => uuid4.test(id))) return false
  const starts = new Set(ids.map((id) => id.slice(0, 2).toLowerCase()))
  return starts.size >= Math.min(ids.length, 256) * 0.4 && agreement(ids) < 0.9
}

/** How often two neighbours in a list are in ascending order. */
const agreement = (texts: readonly string[]): number => {
  const rising = texts.filter((text, i) => i > 0 && text > (texts[i - 1] ?? '')).length
  return texts.length < 2 ? 1 : rising / (texts.length - 1)
}

const isRankedByFirst = ({ byUser }: LedgerCopy): boolean => {
  const users = [...byUser].toSorted(([, a], [, b]) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0)).map(([user]) => user)
  return agreement(users) > 0.8
}

/**
 * The order in which transactions entered the ledger cannot be seen, so "as they entered the ledger" explains any order
 * that is the same in all responses. It is ruled out where it is not the same, and where it would be the order of random
 * ids by accident. If nothing is left, no value explains the responses: that becomes a conflict.
 */
export const excludeByOrder = ({ knowledge, conflicts, tracker: { copy } }: Inference): void => {
  const { space, order, evidence } = knowledge
  const contradict = (variable: 'tieOrder' | 'groupOrder'): void => {
    const aspect = variable === 'tieOrder' ? 'order' : 'groups'
    if (conflicts.some((one) => one.aspect === aspect && one.variables.join() === variable)) return
    const observedIn = ({ response, copies: [before = copy] }: Evidence) =>
      observe(response, before).observation[aspect]
    const last = evidence.findLast((one) => observedIn(one) !== undefined)
    const observed = last && observedIn(last)
    if (!last || observed === undefined) return
    conflicts.push({ evidence: { ...last, targets: [variable] }, aspect, observed, variables: [variable] })
  }
  const without = (variable: 'tieOrder' | 'groupOrder', removed: readonly Value[], isExcluded: () => boolean): void => {
    const values = space.domains.get(variable) ?? []
    const left = values.filter((value) => !removed.includes(value))
    if (left.length === values.length || !isExcluded()) return
    if (left.length === 0) contradict(variable)
    else space.restrict(variable, left)
  }
  const ids = () => copy.items.map(({ entry }) => entry.transactionId)
  // A window does not show when users were last seen, but that is one order of users too.
  const fixed = copy.window ? ['ledger', 'latest-first'] : ['ledger']
  without('groupOrder', fixed, () => !order.users.sorted([...copy.byUser.keys()]))
  without('tieOrder', ['ledger'], () => !order.ties.sorted(ids()))
  without('tieOrder', ['ledger-as-sort-order'], () => !order.directedTies.sorted(ids()))
  if (space.domains.get('tieOrder')?.includes('transaction-id') && order.tieChance < impossible) {
    without('tieOrder', ['ledger', 'ledger-as-sort-order'], () => areRandom(copy.items.map(({ entry }) => entry)))
  }
  if (space.domains.get('groupOrder')?.includes('platform-id') && order.userChance < impossible) {
    without('groupOrder', fixed, () => !isRankedByFirst(copy))
  }
}

const stepsOf = (times: readonly number[]): number[] => times.slice(1).map((time, i) => time - (times[i] ?? time))

/** Whether groups are in the order in which users appeared, as far as times tell. */
export const usersFollowTime = ({ order }: Knowledge, { byUser }: LedgerCopy): boolean => {
  const users = order.users.sorted([...byUser.keys()]) ?? []
  return followsTime(stepsOf(users.map((user) => byUser.get(user)?.[0]?.at ?? 0)))
}

/** Whether ties are in the order of their times. */
export const tiesFollowTime = ({ order }: Knowledge, { byId }: LedgerCopy): boolean =>
  followsTime(order.ties.edges().map(([before, after]) => (byId.get(after)?.at ?? 0) - (byId.get(before)?.at ?? 0)))
