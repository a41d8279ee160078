import { WalkError } from '../errors/index.ts'

/** Something to go through once. Leaving it early ends all that it has begun. */
export type Once<T> = AsyncIterableIterator<T, void, void> & AsyncDisposable

const consumed = () =>
  new WalkError('walk_consumed', 'This walk was gone through before: call the method again for another one.')

/**
 * Makes something that can be gone through once out of a generator, which gets a signal that fires when the consumer
 * stops or `outer` fires. Unlike a generator it can be left while its next value is still awaited.
 */
export const once = <T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  outer: AbortSignal | undefined,
): Once<T> => {
  const controller = new AbortController()
  const stopped = new DOMException('The walk was left.', 'AbortError')
  const follow = () => controller.abort(outer?.reason)
  let generator: AsyncGenerator<T, void, void> | undefined
  let taken = false
  let over = false

  const start = () => {
    if (outer?.aborted) follow()
    else outer?.addEventListener('abort', follow, { once: true })
    return generate(controller.signal)
  }
  const end = () => {
    over = true
    controller.abort(stopped)
    outer?.removeEventListener('abort', follow)
  }
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    const running = (generator ??= generate(controller.signal))
    end()
    await running.return()
    return { done: true, value: undefined }
  }

  return {
    [Symbol.asyncIterator]() {
      if (taken) throw consumed()
      taken = true
      return this
    },
    async next() {
      try {
        generator ??= start()
        if (outer?.aborted && !over) {
          await leave()
          throw outer.reason
        }
        const result = await generator.next()
        if (result.done) end()
        return result
      } catch (error) {
        end()
        if (error === stopped) return { done: true, value: undefined }
        throw error
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
}
