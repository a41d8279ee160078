import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { iteration } from './single-use.ts'

const singleUse = <T>(...given: Parameters<typeof iteration<T>>) => iteration(...given).paginator

/** Counts to five; waits for `signal` before every number from `hangsAt` on. */
const counting = (hangsAt = Infinity) => {
  const signals: AbortSignal[] = []
  let ended = 0
  async function* generate(signal: AbortSignal) {
    signals.push(signal)
    try {
      for (let n = 1; n <= 5; n++) {
        if (n >= hangsAt) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          })
        }
        yield n
      }
    } finally {
      ended++
    }
  }
  return { generate, signals, ended: () => ended }
}

const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

describe('single-use iterator', () => {
  it('starts nothing before the first value is requested', async () => {
    const { generate, signals } = counting()
    const iterator = singleUse(generate, undefined)
    expect(signals).toEqual([])
    await iterator.return?.()
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('can be started with next() and continued in a loop', async () => {
    const iterator = singleUse(counting().generate, undefined)
    expect(await iterator.next()).toEqual({ done: false, value: 1 })
    expect(await all(iterator)).toEqual([2, 3, 4, 5])
  })

  it('cannot be iterated by two loops at once', () => {
    const iterator = singleUse(counting().generate, undefined)
    iterator[Symbol.asyncIterator]()
    expect(() => iterator[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'paginator_consumed' }))
  })

  it('resolves parallel calls of next() in order', async () => {
    const iterator = singleUse(counting().generate, undefined)
    const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()))
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, undefined, undefined])
  })

  it('fires the signal of its generator when the loop is left', async () => {
    const { generate, signals, ended } = counting()
    for await (const n of singleUse(generate, undefined)) if (n === 2) break
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(ended()).toBe(1)
  })

  it('can be left while a value is awaited, which then resolves as done', async () => {
    const { generate, ended } = counting(2)
    const iterator = singleUse(generate, undefined)
    await iterator.next()
    const pending = iterator.next()
    await iterator.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(ended()).toBe(1)
  })

  it('rejects the awaited value with the reason of the caller, and is done afterwards', async () => {
    const caller = new AbortController()
    const iterator = singleUse(counting(2).generate, caller.signal)
    await iterator.next()
    const pending = iterator.next()
    caller.abort(new Error('stop'))
    await expect(pending).rejects.toThrow('stop')
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('rejects the first value when the caller aborted before, and starts nothing', async () => {
    const { generate, signals, ended } = counting()
    const signal = AbortSignal.abort(new Error('stop'))
    const iterator = singleUse(generate, signal)

    await expect(iterator.next()).rejects.toThrow('stop')

    expect([signals.length, ended()]).toEqual([0, 0])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it('tells its generator that it was left', async () => {
    const { generate, signals } = counting()
    const iterator = singleUse(generate, undefined)
    await iterator.next()

    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(signals[0]?.reason).toMatchObject({ name: 'AbortError', message: 'The paginator was left.' })
  })

  it('rejects the next value when the caller aborted between two values', async () => {
    const caller = new AbortController()
    const { generate, ended } = counting()
    const iterator = singleUse(generate, caller.signal)
    await iterator.next()
    caller.abort(new Error('stop'))
    await expect(iterator.next()).rejects.toThrow('stop')
    expect(ended()).toBe(1)
  })

  it.each([
    ['to the end', async (iterator: ReturnType<typeof singleUse<number>>) => void (await all(iterator))],
    [
      'only in part',
      async (iterator: ReturnType<typeof singleUse<number>>) => void (await iterator.next(), await iterator.return?.()),
    ],
  ])('removes its abort listener when iterated %s', async (_, go) => {
    const listeners = new Set<unknown>()
    const signal = Object.assign(new AbortController().signal, {
      addEventListener: (_type: string, listener: unknown) => void listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => void listeners.delete(listener),
    })
    const iterator = singleUse(counting().generate, signal)
    await go(iterator)
    expect(listeners.size).toBe(0)
  })

  it('works in a runtime without FinalizationRegistry', async () => {
    vi.resetModules()
    vi.stubGlobal('FinalizationRegistry', undefined)
    const inRuntime = await import('./single-use.ts')
    vi.unstubAllGlobals()
    const { signal } = new AbortController()

    expect(await all(inRuntime.iteration(counting().generate, signal).paginator)).toEqual([1, 2, 3, 4, 5])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('leaves no listener on a signal when it is dropped after its first value', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const { signal } = new AbortController()
    for (let i = 0; i < 10; i++) await singleUse(counting().generate, signal).next()
    expect(getEventListeners(signal, 'abort')).toHaveLength(10)

    const check = () => {
      collectGarbage()
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    }
    await vi.waitFor(check, { timeout: 10_000 })
  })
})
