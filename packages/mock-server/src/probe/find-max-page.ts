import { requestOf } from './candidate.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import { hugePage } from './model/parse-request.ts'
import type { Send } from './read-pages.ts'

/** Page limits that services tend to have. */
const likely = [1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000]
const beyondLikely = [1e7, 1e8, 1e9, 2 ** 31 - 1, 2 ** 32 - 1, 1e12, 1e15]

const pageIn = ({ body }: RawResponse): unknown => fieldIn(body, 'pagination', 'page')

/**
 * Finds the largest page that a service accepts, once it is known that it has one: the response to a page above it is
 * `above`. It tries likely limits first and halves what is between them.
 */
export const findMaxPage = async (send: Send, above: RawResponse, knownPage: number): Promise<number | undefined> => {
  const shown = pageIn(above)
  const isValid = async (page: number): Promise<boolean> => {
    const response = await send(requestOf(null, { page, limit: 1 }))
    return response.status === above.status ? response.status === 200 && pageIn(response) === page : true
  }
  // A clamped page names the limit. The default page, 1, says nothing.
  if (above.status === 200 && typeof shown === 'number' && shown > 1) {
    return (await isValid(shown)) && !(await isValid(shown + 1)) ? shown : undefined
  }
  let valid = knownPage
  let invalid = hugePage
  const steps = [...likely, ...beyondLikely].filter((page) => page > valid)
  let [from, to] = [0, steps.length]
  while (from < to) {
    const middle = from === 0 && to === steps.length ? Math.min(8, to - 1) : (from + to) >> 1
    const page = steps[middle] as number
    if (await isValid(page)) [valid, from] = [page, middle + 1]
    else [invalid, to] = [page, middle]
  }
  if (invalid - valid > 1 && !(await isValid(valid + 1))) return valid
  while (invalid - valid > 1) {
    const middle = Math.floor(valid + (invalid - valid) / 2)
    if (await isValid(middle)) valid = middle
    else invalid = middle
  }
  return valid
}
