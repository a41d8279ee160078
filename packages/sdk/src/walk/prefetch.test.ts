import { describe, expect, it } from 'vitest'
import { createPrefetch } from './prefetch.ts'

/** Replies come when they are let. */
const service = (concurrency = 2) => {
  const controller = new AbortController()
  const asked: number[] = []
  const open = new Map<number, { resolve: (page: number) => void; reject: (error: Error) => void }>()
  const read = (page: number) =>
    new Promise<number>((resolve, reject) => {
      asked.push(page)
      open.set(page, { resolve, reject })
    })
  const settle = async () => {
    for (let i = 0; i < 5; i += 1) await Promise.resolve()
  }
  return {
    prefetch: createPrefetch(read, 1, () => concurrency, controller.signal),
    asked,
    stop: () => controller.abort(new Error('stop')),
    reply: async (page: number) => {
      open.get(page)?.resolve(page)
      await settle()
    },
    fail: async (page: number) => {
      open.get(page)?.reject(new Error(`page ${page} failed`))
      await settle()
    },
  }
}

describe('prefetch', () => {
  it('asks for one page until it is told that there are more', async () => {
    const { prefetch, asked, reply } = service()
    const first = prefetch.take(1)
    await reply(1)
    expect((await first).value).toBe(1)
    expect(asked).toEqual([1])
    prefetch.expect(9)
    expect(asked).toEqual([1, 2, 3])
  })

  it('keeps no more on their way than it may, and no more waiting than twice as many', async () => {
    const { prefetch, asked, reply } = service(2)
    void prefetch.take(1)
    await reply(1)
    prefetch.expect(9)
    await reply(3)
    expect(asked).toEqual([1, 2, 3, 4])
    await reply(2)
    await reply(4)
    expect(asked).toEqual([1, 2, 3, 4])
    void prefetch.take(2)
    expect(asked).toEqual([1, 2, 3, 4, 5])
  })

  it('gives pages by their number, whichever reply comes first', async () => {
    const { prefetch, reply } = service(3)
    prefetch.expect(3)
    const second = prefetch.take(2)
    await reply(3)
    await reply(2)
    expect((await second).value).toBe(2)
    expect((await prefetch.take(3)).value).toBe(3)
  })

  it('tells what was asked for after which answer', async () => {
    const { prefetch, reply } = service(2)
    prefetch.expect(3)
    const taken = [prefetch.take(1), prefetch.take(2)]
    await reply(1)
    await reply(2)
    const [first, second] = await Promise.all(taken)
    const third = prefetch.take(3)
    await reply(3)
    expect(second && first && second.askedAt < first.answeredAt).toBe(true)
    expect(second && (await third).askedAt > (first?.answeredAt ?? 0)).toBe(true)
  })

  it('asks again without going over what it may have on its way', async () => {
    const { prefetch, asked, reply } = service(2)
    prefetch.expect(5)
    expect(asked).toEqual([1, 2])
    const again = prefetch.again(1)
    expect(asked).toEqual([1, 2])
    await reply(2)
    expect(asked).toEqual([1, 2, 1])
    await reply(1)
    expect((await again).value).toBe(1)
  })

  it('tells a failure when the turn of the page comes', async () => {
    const { prefetch, reply, fail } = service(2)
    prefetch.expect(2)
    await fail(2)
    const first = prefetch.take(1)
    await reply(1)
    expect((await first).value).toBe(1)
    await expect(prefetch.take(2)).rejects.toThrow('page 2 failed')
  })

  it('asks for nothing more once stopped', async () => {
    const { prefetch, asked, reply, stop } = service(2)
    prefetch.expect(9)
    stop()
    await reply(1)
    await reply(2)
    expect(asked).toEqual([1, 2])
    await expect(prefetch.take(3)).rejects.toThrow('stop')
  })
})
