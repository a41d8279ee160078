import type { LedgerEntry } from '../contract/index.ts'
import { WalkError } from '../errors/index.ts'
import type { Course } from './course.ts'
import { goBack } from './go-back.ts'
import { createMemory } from './memory.ts'
import type { Drift } from './options.ts'
import type { Rules } from './rules.ts'
import { isLoss } from './steps.ts'

const mostPasses = 100
// Where things go on vanishing, pages that count users never come to rest; after so many passes that is told instead.
const mostPassesAfterLoss = 10

const unsettled = (first: number) =>
  new WalkError(
    'walk_stuck',
    `The walk does not come to an end: after ${mostPasses} times through all pages there are still users it has not met. ` +
      'Narrow the query, or try again when less is going on.',
    first,
  )

/** Transactions that come together. */
export interface Batch {
  readonly rows: LedgerEntry[]
  /** Whether none of those still to come stands before one of these in the order asked for. */
  readonly inOrder: boolean
}

/** Transactions of a course, those of a page together. */
export async function* entries<P>(
  { first, options, begin }: Course<P>,
  rules: Rules,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  const memory = createMemory(rules)
  const { pass, again } = begin(signal)
  const batch = (rows: LedgerEntry[]): Batch => ({ rows, inOrder: memory.unit === 'transaction' })
  for (let passes = 1; ; passes += 1) {
    /** Whether something had vanished before it showed what pages count. */
    let owed = false
    let lostAt: Pick<Drift, 'kind' | 'page' | 'lost'> | undefined
    for await (const step of pass()) {
      memory.look(step)
      const { change: kind, page, lost } = step
      if (memory.unit === 'transaction' && (isLoss(kind) || owed) && rules.goBack) {
        const { rows, from, complete } = await goBack(step, owed, first, memory, again)
        owed = false
        if (isLoss(kind)) options.onDrift?.({ kind, page, lost, rereadFrom: from, repaired: complete })
        yield batch(rows)
      } else if (isLoss(kind)) {
        owed = true
        memory.spoil()
        lostAt = { kind, page, lost }
        options.onDrift?.({ ...lostAt, rereadFrom: first, repaired: first === 1 })
      }
      yield batch(memory.fresh(step))
      if (passes > 1 && memory.isComplete()) return
    }
    yield batch(memory.rest())
    if (first > 1 || memory.isDone() || !rules.goBack) return
    if (lostAt && passes >= mostPassesAfterLoss) {
      options.onDrift?.({ ...lostAt, rereadFrom: first, repaired: false })
      return
    }
    if (passes === mostPasses) throw unsettled(first)
    memory.nextPass()
  }
}
