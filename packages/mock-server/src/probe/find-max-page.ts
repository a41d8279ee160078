import { requestOf } from './candidate.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-request.ts'
import type { Send } from './read-pages.ts'

/** Page limits that services tend to have. */
const largestUsual = 2 ** 31 - 1
const usual = [1, 2, 3, 10, 100, 1000, largestUsual]
const likely = [5, 20, 25, 50, 200, 250, 500, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000]

/** How likely limits up to this page are, as a sum: one that services tend to have is as likely as a range of others. */
const weightUpTo = (page: number): number =>
  Math.log2(page + 1) * (page < 2 ** 20 ? 1 : 0.1) +
  (page < 2 ** 20 ? 0 : 18) +
  usual.filter((one) => one <= page).length * 8 +
  likely.filter((one) => one <= page).length * 3

/** So far up, weights differ by less than a number of this size can hold. */
const leastDifference = 1e-12

/** The page that halves what is likely: the largest page is below it, or not. */
const splitOf = (valid: number, invalid: number): number => {
  if (weightUpTo(invalid - 1) - weightUpTo(valid) < leastDifference) return valid + Math.ceil((invalid - valid) / 2)
  const goal = (weightUpTo(valid - 1) + weightUpTo(invalid - 1)) / 2
  let [low, high] = [valid + 1, invalid - 1]
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (weightUpTo(middle) < goal) low = middle + 1
    else high = middle
  }
  // What is up to `low - 1` against what is from `low` on, or one further.
  const isNext = low + 1 < invalid && weightUpTo(low) - goal < goal - weightUpTo(low - 1)
  return isNext ? low + 1 : low
}

const pageIn = ({ body }: RawResponse): unknown => fieldIn(body, 'pagination', 'page')

/**
 * Finds the largest page that a service accepts, once it is known that it has one: the response to a page above it is
 * `above`. Each request halves what is likely.
 */
export const findMaxPage = async (send: Send, above: RawResponse, knownPage: number): Promise<number | undefined> => {
  const shown = pageIn(above)
  let isOther = false
  const isValid = async (page: number): Promise<boolean> => {
    const response = await send(requestOf(null, { page, limit: 1 }))
    if (response.status === above.status) return response.status === 200 && pageIn(response) === page
    isOther ||= response.status === 200 && pageIn(response) !== page
    return true
  }
  // A clamped page names the limit. The default page, 1, says nothing.
  if (above.status === 200 && typeof shown === 'number' && shown > 1) {
    return (await isValid(shown)) && !(await isValid(shown + 1)) ? shown : undefined
  }
  // Each finite limit above 1 allows page 2.
  let [valid, invalid] = [Math.max(2, knownPage), hugePage]
  let isRepeated = false
  while (invalid - valid > 1) {
    const page = splitOf(valid, invalid)
    if (await isValid(page)) valid = page
    else invalid = page
    if (isRepeated || valid <= largestUsual) continue
    // It may have been a fault that the largest page of all was not valid.
    isRepeated = true
    if (await isValid(hugePage)) return undefined
  }
  // Where no page shows its number, none was valid.
  const isNone = valid > knownPage && valid === 2 && !(await isValid(2))
  // Or the service counts pages in another way.
  return isNone || isOther ? undefined : valid
}
