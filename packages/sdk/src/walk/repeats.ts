import { compareStamps } from './stamp.ts'
import type { Reading } from './reading.ts'

const patience = 20

const isRepeat = (a: Reading<unknown>, b: Reading<unknown>): boolean => {
  const [idA, idB] = [a.groups[0]?.transactions[0]?.transactionId, b.groups[0]?.transactions[0]?.transactionId]
  return idA === idB && a.count === b.count && !!a.stamp && !!b.stamp && compareStamps(a.stamp, b.stamp) === 'same'
}

/**
 * Tells when pages go round in a circle, however long, remembering two of them (Brent). A page may come twice on an
 * honest service, where users move down a page; not as often as this allows.
 */
export const createRepeats = (): ((reading: Reading<unknown>) => boolean) => {
  let previous: Reading<unknown> | undefined
  let mark: Reading<unknown> | undefined
  let steps = 0
  let repeats = 0
  return (reading) => {
    if ((previous && isRepeat(previous, reading)) || (mark && isRepeat(mark, reading))) repeats += 1
    steps += 1
    if (Number.isInteger(Math.log2(steps))) mark = reading
    previous = reading
    return repeats > patience
  }
}
