import { limits } from '../contract/index.ts'
import { WalkError } from '../errors/index.ts'
import { createConcurrency, type Concurrency } from './concurrency.ts'
import { filledIn, type WalkOptions } from './options.ts'
import { createPrefetch } from './prefetch.ts'
import { readPage, type Reading, type Walkable, type WalkedPage } from './reading.ts'
import type { Rules } from './rules.ts'
import { steps, type Step } from './steps.ts'

/** Query parameters that a walk itself sets. */
export interface WalkedQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A walk under way. */
export interface Going<P> {
  /** Goes through all pages from the first. */
  readonly pass: () => AsyncIterable<Step<P>>
  /** Reads a page again, besides its turn. */
  readonly again: (page: number) => Promise<Reading<P>>
}

/** A query that can be walked over. */
export interface Course<P> {
  readonly first: number
  readonly options: WalkOptions
  readonly begin: (signal: AbortSignal) => Going<P>
}

const nothingFound = (page: number) =>
  new WalkError(
    'walk_empty',
    "Nothing was found: the service answered with an empty page, and onEmpty is 'throw'. Widen the filters, or use onEmpty: 'end'.",
    page,
  )

/** Begins with the first page, which must not be empty unless `onEmpty` allows it. */
async function* checked<P>(pages: AsyncIterable<Step<P>>, first: number, { onEmpty }: WalkOptions) {
  for await (const step of pages) {
    if (step.page === first && step.count === 0 && onEmpty === 'throw') throw step.refusal ?? nothingFound(first)
    yield step
  }
}

const measured = async <P extends WalkedPage>(
  reading: Promise<Reading<P>>,
  concurrency: Concurrency,
): Promise<Reading<P>> => {
  const askedAt = performance.now()
  const { reply } = await reading
  if (reply) concurrency.note(performance.now() - askedAt - (reply.response?.queuedMs ?? 0))
  return reading
}

/** Binds an operation, a query and options: nothing is asked yet. Where it is not `eager`, no page before its turn. */
export const createCourse = <Q extends WalkedQuery, P extends WalkedPage>(
  operation: Walkable<Q, P>,
  query: Q,
  options: WalkOptions,
  rules: Rules,
  eager = true,
): Course<P> => {
  const { concurrency: given, onEmpty: _onEmpty, onDrift: _onDrift, ...call } = options
  const full = filledIn(query)
  const first = query.page ?? limits.minPage
  const concurrency = createConcurrency(given)
  return {
    first,
    options,
    begin(signal) {
      const read = (page: number) =>
        measured(readPage(operation, full, page, { priority: 'background', ...call, signal }), concurrency)
      const prefetch = createPrefetch(read, first, () => concurrency.pages, signal, eager ? undefined : () => 1)
      return {
        pass() {
          prefetch.restart()
          return checked(steps(prefetch, first, rules), first, options)
        },
        again: async (page) => (await prefetch.again(page)).value,
      }
    },
  }
}
