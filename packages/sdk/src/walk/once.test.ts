import { describe, expect, it } from 'vitest'
import { once } from './once.ts'

/** Counts up; awaits `signal` before every number from `hangsAt` on. */
const counting = (hangsAt = Infinity) => {
  const signals: AbortSignal[] = []
  let ended = 0
  async function* generate(signal: AbortSignal) {
    signals.push(signal)
    try {
      for (let n = 1; n <= 5; n += 1) {
        if (n >= hangsAt) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          })
        }
        yield n
      }
    } finally {
      ended += 1
    }
  }
  return { generate, signals, ended: () => ended }
}

const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

describe('once', () => {
  it('gives every value in order', async () => {
    const { generate, ended } = counting()
    expect(await all(once(generate, undefined))).toEqual([1, 2, 3, 4, 5])
    expect(ended()).toBe(1)
  })

  it('starts nothing before the first value is asked for', async () => {
    const { generate, signals } = counting()
    const walk = once(generate, undefined)
    expect(signals).toEqual([])
    await walk.return?.()
    expect(await walk.next()).toEqual({ done: true, value: undefined })
  })

  it('says so when it is gone through a second time', async () => {
    const walk = once(counting().generate, undefined)
    await all(walk)
    await expect(all(walk)).rejects.toMatchObject({
      name: 'WalkError',
      code: 'walk_consumed',
      message: 'This walk was gone through before: call the method again for another one.',
    })
  })

  it('can be begun by hand and gone on with in a loop', async () => {
    const walk = once(counting().generate, undefined)
    expect(await walk.next()).toEqual({ done: false, value: 1 })
    expect(await all(walk)).toEqual([2, 3, 4, 5])
  })

  it('answers parallel calls in order', async () => {
    const walk = once(counting().generate, undefined)
    const results = await Promise.all(Array.from({ length: 7 }, () => walk.next()))
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, undefined, undefined])
  })

  it('fires the signal when the loop is left', async () => {
    const { generate, signals, ended } = counting()
    for await (const n of once(generate, undefined)) if (n === 2) break
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(ended()).toBe(1)
  })

  it('can be left while a value is awaited, which then never comes', async () => {
    const { generate, ended } = counting(2)
    const walk = once(generate, undefined)
    await walk.next()
    const pending = walk.next()
    await walk.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(ended()).toBe(1)
  })

  it('leaves with `await using`', async () => {
    const { generate, signals } = counting()
    {
      await using walk = once(generate, undefined)
      await walk.next()
    }
    expect(signals[0]?.aborted).toBe(true)
  })

  it('rejects what is awaited with the reason of the caller, and what comes later with nothing', async () => {
    const caller = new AbortController()
    const walk = once(counting(2).generate, caller.signal)
    await walk.next()
    const pending = walk.next()
    caller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    expect(await walk.next()).toEqual({ done: true, value: undefined })
  })

  it('notices between two values that the caller has had enough', async () => {
    const caller = new AbortController()
    const { generate, ended } = counting()
    const walk = once(generate, caller.signal)
    await walk.next()
    caller.abort(new Error('enough'))
    await expect(walk.next()).rejects.toThrow('enough')
    expect(ended()).toBe(1)
  })

  it.each([
    ['to the end', async (walk: ReturnType<typeof once<number>>) => void (await all(walk))],
    [
      'not to the end',
      async (walk: ReturnType<typeof once<number>>) => void (await walk.next(), await walk.return?.()),
    ],
    [
      'by throw',
      async (walk: ReturnType<typeof once<number>>) => {
        await walk.next()
        await expect(walk.throw?.(new Error('mine'))).rejects.toThrow('mine')
      },
    ],
  ])('leaves no listener behind when gone through %s', async (_, go) => {
    const listeners = new Set<unknown>()
    const signal = Object.assign(new AbortController().signal, {
      addEventListener: (_type: string, listener: unknown) => void listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => void listeners.delete(listener),
    })
    const walk = once(counting().generate, signal)
    await go(walk)
    expect(listeners.size).toBe(0)
  })
})
