import { contradict, contradictionsNeeded, sync, type Inference } from './learn.ts'
import type { Evidence } from './knowledge.ts'
import type { Aspect } from './model/aspects.ts'
import { observe } from './model/observe.ts'
import type { Send } from './read-pages.ts'
import { isFiltered, showsLedger } from './settled.ts'
import { variantOf } from './variant.ts'

/** What an unstable part of a response makes unknown. */
const shownBy: Partial<Record<Aspect, string>> = { groups: 'groupOrder', order: 'tieOrder', transactions: 'tieOrder' }

/** The response that shows most of an order: one with many groups, sorted by something other than time. */
const richest = ({ knowledge, tracker }: Inference): Evidence | undefined => {
  const worth = ({ request, response, copies }: Evidence): number => {
    const [copy, ...others] = copies
    if (request.user !== null || response.status !== 200 || copy !== tracker.copy || others.length > 0) return 0
    const isByTime = !request.parameters.some(([name, text]) => name === 'sortBy' && text !== 'createdAt')
    const { users, groups } = observe(response, copy)
    // Without a filter, it also shows whether anything entered the ledger.
    return (users.length + groups.flat().length / (isByTime ? 10 : 1)) / (isFiltered(request) ? 2 : 1)
  }
  const [best] = knowledge.evidence.map((one) => ({ one, value: worth(one) })).toSorted((a, b) => b.value - a.value)
  return best && best.value > 1 ? best.one : undefined
}

const maxConflicts = 3

/** Repeats requests that nothing explains: several versions of a service behind one address contradict each other. */
export const repeatConflicts = async (inference: Inference, send: Send): Promise<void> => {
  const { conflicts, tracker } = inference
  const { copy } = tracker
  const found = new Map(
    conflicts.filter(({ evidence }) => evidence.copies[0] === copy).map(({ evidence }) => [evidence.request, evidence]),
  )
  for (const { request, response } of [...found.values()].slice(0, maxConflicts)) {
    // Twice: two versions may take turns.
    for (const attempt of [1, 2]) {
      if (!contradict(response, await send(variantOf(request, maxConflicts + attempt)), copy)) continue
      if (!(await sync(inference, () => tracker.update()))) inference.contradictions += contradictionsNeeded
      return
    }
  }
}

/**
 * Repeats one request: an order that changes from response to response is none of the values. Returns whether the response
 * shows that nothing entered the ledger.
 */
export const repeatRichest = async (inference: Inference, send: Send): Promise<boolean> => {
  const evidence = richest(inference)
  inference.hasRepeated = true
  if (!evidence) return false
  const { request } = evidence
  const { copy } = inference.tracker
  const response = await send(variantOf(request, 1))
  const [before, after] = [observe(evidence.response, copy), observe(response, copy)]
  // Then the ledger has changed: nothing can be said.
  if (after.hasNew || before.observation.total !== after.observation.total) return false
  const targets = (Object.keys(shownBy) as Aspect[])
    .filter((aspect) => before.observation[aspect] !== after.observation[aspect])
    .flatMap((aspect) => shownBy[aspect] ?? [])
  if (targets.length > 0) inference.unstable.push({ request, targets })
  return showsLedger(request, response, copy)
}
