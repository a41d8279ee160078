import { callSite, leadTo, PaginationError, type CallSite } from '../errors/index.ts'

/** An async iterator that can be iterated once, with `for await`. Leaving it early stops everything it has started. */
export interface Paginator<T> extends AsyncIterableIterator<T, void, void>, AsyncDisposable {}

const consumed = () =>
  new PaginationError(
    'paginator_consumed',
    'This paginator was iterated before and can be iterated only once. Call the method again for a new one.',
  )

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
  const abort = () => controller.abort(outer?.reason)
  let generator: AsyncGenerator<T, void, void> | undefined
  let isTaken = false
  let isOver = false
  let site: CallSite | undefined

  const start = () => {
    if (outer?.aborted) abort()
    else outer?.addEventListener('abort', abort, { once: true })
    return generate(controller.signal)
  }
  const end = () => {
    isOver = true
    controller.abort(stopped)
    outer?.removeEventListener('abort', abort)
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
