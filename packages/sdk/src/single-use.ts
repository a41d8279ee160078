import { callSite, clientClosed, leadTo, PaginationError, type CallSite } from './errors/index.ts'
import type { Closed } from './transport/index.ts'

/**
 * How a paginator came to its end: `'max-items'` if the option `maxItems` ended it, so that there may be more. A watch
 * with `follow: false` that has caught up is `'complete'`, too.
 */
export type Ended = 'complete' | 'max-items'

/** An async iterator that can be iterated once, with `for await`. Leaving it early stops everything it has started. */
export interface Paginator<T> extends AsyncIterator<T, void, void>, AsyncDisposable {
  /** Returns the paginator itself, once. */
  [Symbol.asyncIterator](): Paginator<T>
  /** How it came to its end; undefined before that, and after it was left, was cut by `close()` or has failed. */
  readonly ended: Ended | undefined
  /** Ends the iteration at once, also a loop that waits for the next value. Nothing is thrown. */
  return(): Promise<IteratorReturnResult<void>>
}

const consumed = () =>
  new PaginationError('paginator_consumed', 'This paginator was iterated before. Call the method again for a new one.')

/** Ends what iterators listen to that were dropped before their end. */
const dropped =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<() => void>((stop) => stop())

/** Why an iteration is over that was left: it is done then, and rejects nothing. */
export const left = /* @__PURE__ */ new DOMException('The paginator was left.', 'AbortError')

const reasonOf = (outer: AbortSignal): unknown => outer.reason

/** Aborts `controller` when `outer` fires, and keeps neither it nor what `iteration` closes over in memory. */
const follow = <Outer extends AbortSignal | Closed>(
  outer: Outer,
  controller: AbortController,
  toReason: (outer: Outer) => unknown,
): (() => void) => {
  const target = new WeakRef(controller)
  const abort = () => target.deref()?.abort(toReason(outer))
  const unfollow = () => outer.removeEventListener('abort', abort)
  if (outer.aborted) abort()
  outer.addEventListener('abort', abort)
  dropped?.register(controller, unfollow, controller)
  return unfollow
}

/** A single-use iterator, and its end. */
export interface Iteration<T> {
  readonly paginator: Paginator<T>
  /** Calls `listener` with the reason once the iteration is over, or cut before it has begun. */
  readonly onEnd: (listener: (reason: unknown) => void) => void
}

/**
 * Makes a single-use iterator out of a generator, whose signal fires when the consumer stops or `outer` fires. It can be
 * left while its next value is still awaited. Once `closed` fires, it rejects with `client_closed`, so that it never looks
 * complete; one that `isEndless` is done, unless it was made after that.
 */
export const iteration = <T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, Ended | void, void>,
  outer: AbortSignal | null | undefined,
  closed?: Closed,
  isEndless = false,
): Iteration<T> => {
  const controller = new AbortController()
  const { signal } = controller
  const unfollow: (() => void)[] = []
  const closedReason = isEndless && !closed?.aborted ? () => left : clientClosed
  let generator: AsyncGenerator<T, Ended | void, void> | undefined
  let ended: Ended | undefined
  let isTaken = false
  let isListening = false
  let isOver = false
  let site: CallSite | undefined

  const listen = () => {
    if (isListening || isOver) return
    isListening = true
    if (outer) unfollow.push(follow(outer, controller, reasonOf))
    if (closed) unfollow.push(follow(closed, controller, closedReason))
  }
  const end = (reason: unknown) => {
    isOver = true
    controller.abort(reason)
    for (const stop of unfollow) stop()
    dropped?.unregister(controller)
  }
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    const running = (generator ??= generate(signal))
    end(left)
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
        listen()
        generator ??= generate(signal)
        if (signal.aborted && !isOver) {
          await leave()
          throw signal.reason
        }
        const result = await generator.next()
        if (!result.done) return result
        ended = result.value ?? undefined
        end(left)
        return { done: true, value: undefined }
      } catch (error) {
        end(error)
        if (error === left) return { done: true, value: undefined }
        // Whoever awaits this very item is on the asynchronous stack, in most engines; else it leads to the first item.
        throw leadTo(error, callSite([paginator, 'next']), site)
      }
    },
    return: leave,
    async [Symbol.asyncDispose]() {
      await leave()
    },
  }
  const onEnd: Iteration<T>['onEnd'] = (listener) => {
    listen()
    if (signal.aborted) listener(signal.reason)
    else signal.addEventListener('abort', () => listener(signal.reason))
  }
  return { paginator, onEnd }
}
