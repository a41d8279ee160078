import { callSite, leadTo, PaginationError, type CallSite } from './errors/index.ts'
import type { Closed } from './transport/index.ts'

/** How a paginator came to its end: `'max-items'` if the option `maxItems` ended it, so that there may be more. */
export type Ended = 'complete' | 'max-items'

/** An async iterator that can be iterated once, with `for await`. Leaving it early stops everything it has started. */
export interface Paginator<T> extends AsyncIterableIterator<T, void, void>, AsyncDisposable {
  /** How it came to its end; undefined before that, and after it was left or has failed. */
  readonly ended: Ended | undefined
  /** Ends the iteration at once, also a loop that waits for the next value. Nothing is thrown. */
  return(): Promise<IteratorReturnResult<void>>
}

const consumed = () =>
  new PaginationError(
    'paginator_consumed',
    'This paginator was iterated before and can be iterated only once. Call the method again for a new one.',
  )

/** Ends what iterators listen to that were dropped before their end. */
const dropped =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<() => void>((stop) => stop())

/** Aborts `controller` when `outer` fires, and keeps neither it nor what `singleUse` closes over in memory. */
const follow = (outer: AbortSignal | Closed, controller: AbortController, reason?: DOMException): (() => void) => {
  const target = new WeakRef(controller)
  const abort = () => target.deref()?.abort(reason ?? ('reason' in outer ? outer.reason : undefined))
  const unfollow = () => outer.removeEventListener('abort', abort)
  outer.addEventListener('abort', abort)
  dropped?.register(controller, unfollow, controller)
  return unfollow
}

/**
 * Makes a single-use iterator out of a generator, whose signal fires when the consumer stops or `outer` fires. It can be
 * left while its next value is still awaited, and is done once `closed` fires.
 */
export const singleUse = <T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, Ended | void, void>,
  outer: AbortSignal | undefined,
  closed?: Closed,
): Paginator<T> => {
  const controller = new AbortController()
  const stopped = new DOMException('The paginator was left.', 'AbortError')
  const unfollow: (() => void)[] = []
  const wasClosed = closed?.aborted ?? false
  let generator: AsyncGenerator<T, Ended | void, void> | undefined
  let ended: Ended | undefined
  let isTaken = false
  let isOver = false
  let site: CallSite | undefined

  const start = () => {
    if (outer) unfollow.push(follow(outer, controller))
    if (closed) unfollow.push(follow(closed, controller, stopped))
    return generate(controller.signal)
  }
  const end = () => {
    isOver = true
    controller.abort(stopped)
    for (const stop of unfollow) stop()
    dropped?.unregister(controller)
  }
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    const running = (generator ??= generate(controller.signal))
    end()
    await running.return(undefined)
    return { done: true, value: undefined }
  }

  const paginator: Paginator<T> = {
    get ended() {
      return ended
    },
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
        if (closed?.aborted && !wasClosed && !isOver) return await leave()
        const result = await generator.next()
        if (!result.done) return result
        ended = result.value ?? undefined
        end()
        return { done: true, value: undefined }
      } catch (error) {
        end()
        if (error === stopped) return { done: true, value: undefined }
        // Whoever awaits this very item is on the asynchronous stack, in most engines; else it leads to the first item.
        throw leadTo(error, callSite([paginator, 'next']), site)
      }
    },
    return: leave,
    async [Symbol.asyncDispose]() {
      await leave()
    },
  }
  return paginator
}
