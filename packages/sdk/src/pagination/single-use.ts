import { callSite, leadTo, PaginationError, type CallSite } from '../errors/index.ts'

/** An async iterator that can be iterated once, with `for await`. Leaving it early stops everything it has started. */
export interface Paginator<T> extends AsyncIterableIterator<T, void, void>, AsyncDisposable {}

const consumed = () =>
  new PaginationError(
    'paginator_consumed',
    'This paginator was iterated before and can be iterated only once. Call the method again for a new one.',
  )

interface Listening {
  readonly outer: AbortSignal
  readonly abort: () => void
}

/** Removes the listeners of iterators that were dropped before their end. */
const dropped =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Listening>(({ outer, abort }) => outer.removeEventListener('abort', abort))

/** Aborts `controller` when `outer` fires, without keeping it in memory. Returns what ends that. */
const follow = (outer: AbortSignal, controller: AbortController): (() => void) => {
  const target = new WeakRef(controller)
  const abort = () => target.deref()?.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  dropped?.register(controller, { outer, abort })
  return () => outer.removeEventListener('abort', abort)
}

/**
 * Makes a single-use iterator out of a generator. The generator gets a signal that fires when the consumer stops or when
 * `outer` fires. Unlike a plain generator the iterator can be left while its next value is still awaited.
 */
export const singleUse = <T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  outer: AbortSignal | undefined,
): Paginator<T> => {
  const controller = new AbortController()
  const stopped = new DOMException('The paginator was left.', 'AbortError')
  let unfollow: (() => void) | undefined
  let generator: AsyncGenerator<T, void, void> | undefined
  let isTaken = false
  let isOver = false
  let site: CallSite | undefined

  const start = () => {
    unfollow = outer && follow(outer, controller)
    return generate(controller.signal)
  }
  const end = () => {
    isOver = true
    controller.abort(stopped)
    unfollow?.()
  }
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    const running = (generator ??= generate(controller.signal))
    end()
    await running.return()
    return { done: true, value: undefined }
  }

  const paginator: Paginator<T> = {
    [Symbol.asyncIterator]() {
      if (isTaken) throw leadTo(consumed(), callSite([paginator, Symbol.asyncIterator]))
      isTaken = true
      return this
    },
    async next() {
      site ??= callSite([paginator, 'next'])
      try {
        generator ??= start()
        if (outer?.aborted && !isOver) {
          await leave()
          throw outer.reason
        }
        const result = await generator.next()
        if (result.done) end()
        return result
      } catch (error) {
        end()
        if (error === stopped) return { done: true, value: undefined }
        // Whoever awaits this very item is on the asynchronous stack, in most engines; else it leads to the first item.
        throw leadTo(error, callSite([paginator, 'next']), site)
      }
    },
    return: leave,
    async throw(error) {
      await leave()
      throw error
    },
    async [Symbol.asyncDispose]() {
      await leave()
    },
  }
  return paginator
}
