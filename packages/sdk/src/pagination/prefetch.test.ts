import { describe, expect, it } from 'vitest'
import { createPrefetch } from './prefetch.ts'

/** A service whose responses arrive when the test says so. */
const service = (concurrency = 2, lengthOf: (page: number) => number = () => 0, ahead?: () => number) => {
  const controller = new AbortController()
  const requested: number[] = []
  const open = new Map<number, { resolve: (page: number) => void; reject: (error: Error) => void }>()
  const read = (page: number) =>
    new Promise<number>((resolve, reject) => {
      requested.push(page)
      open.set(page, { resolve, reject })
    })
  const settle = async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return {
    prefetch: createPrefetch(read, 1, () => concurrency, controller.signal, ahead, lengthOf),
    requested,
    stop: () => controller.abort(new Error('stop')),
    respond: async (page: number) => {
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
  it('requests one page until it is known that there are more', async () => {
    const { prefetch, requested, respond } = service()
    const first = prefetch.take(1)
    await respond(1)
    expect((await first).value).toBe(1)
    expect(requested).toEqual([1])
    prefetch.expect(9)
    expect(requested).toEqual([1, 2, 3])
  })

  it('keeps at most `concurrency` pages in flight and at most twice as many requested ahead', async () => {
    const { prefetch, requested, respond } = service(2)
    void prefetch.take(1)
    await respond(1)
    prefetch.expect(9)
    await respond(3)
    expect(requested).toEqual([1, 2, 3, 4])
    await respond(2)
    await respond(4)
    expect(requested).toEqual([1, 2, 3, 4])
    void prefetch.take(2)
    expect(requested).toEqual([1, 2, 3, 4, 5])
  })

  it('resolves pages by number, whichever response arrives first', async () => {
    const { prefetch, respond } = service(3)
    prefetch.expect(3)
    const second = prefetch.take(2)
    await respond(3)
    await respond(2)
    expect((await second).value).toBe(2)
    expect((await prefetch.take(3)).value).toBe(3)
  })

  it('records which request was sent after which response', async () => {
    const { prefetch, respond } = service(2)
    prefetch.expect(3)
    const taken = [prefetch.take(1), prefetch.take(2)]
    await respond(1)
    await respond(2)
    const [first, second] = await Promise.all(taken)
    const third = prefetch.take(3)
    await respond(3)
    expect(second && first && second.sentAt < first.receivedAt).toBe(true)
    expect(second && (await third).sentAt > (first?.receivedAt ?? 0)).toBe(true)
  })

  it('requests a page again without exceeding the concurrency', async () => {
    const { prefetch, requested, respond } = service(2)
    prefetch.expect(5)
    expect(requested).toEqual([1, 2])
    const again = prefetch.again(1)
    expect(requested).toEqual([1, 2])
    await respond(2)
    expect(requested).toEqual([1, 2, 1])
    await respond(1)
    expect((await again).value).toBe(1)
  })

  it('rejects with the failure of a page when its turn comes', async () => {
    const { prefetch, respond, fail } = service(2)
    prefetch.expect(2)
    await fail(2)
    const first = prefetch.take(1)
    await respond(1)
    expect((await first).value).toBe(1)
    await expect(prefetch.take(2)).rejects.toThrow('page 2 failed')
  })

  it('sends nothing more once the signal has fired', async () => {
    const { prefetch, requested, respond, stop } = service(2)
    prefetch.expect(9)
    stop()
    await respond(1)
    await respond(2)
    expect(requested).toEqual([1, 2])
    await expect(prefetch.take(3)).rejects.toThrow('stop')
  })

  it('sends no request that waited for a free place once the signal has fired', async () => {
    const { prefetch, requested, respond, stop } = service(1)
    void prefetch.take(1)
    const again = prefetch.again(1)
    stop()
    await respond(1)
    await expect(again).rejects.toThrow('stop')
    expect(requested).toEqual([1])
  })

  it('requests pages again in the order in which that was requested, before any further prefetch', async () => {
    const { prefetch, requested, respond } = service(1)
    prefetch.expect(5)
    void prefetch.again(8)
    void prefetch.again(7)
    for (const page of [1, 8, 7]) await respond(page)
    expect(requested).toEqual([1, 8, 7, 2])
  })

  it('knows which pages were requested before their turn', async () => {
    const { prefetch, respond } = service(2)
    prefetch.expect(9)
    expect([1, 2, 3].map((page) => prefetch.has(page))).toEqual([true, true, false])
    const first = prefetch.take(1)
    await respond(1)
    await first
    expect([1, 2, 3].map((page) => prefetch.has(page))).toEqual([false, true, true])
  })

  it('goes on behind a page that was taken out of turn', () => {
    const { prefetch, requested } = service(3)
    void prefetch.take(5)
    prefetch.expect(9)
    expect(requested).toEqual([1, 2, 3])
  })

  it('requests nothing before its turn where `ahead` is 1, and goes on once it is more', async () => {
    let ahead = 1
    const { prefetch, requested, respond } = service(2, undefined, () => ahead)
    void prefetch.take(1)
    prefetch.expect(9)
    await respond(1)
    expect(requested).toEqual([1])
    ahead = 3
    prefetch.fill()
    expect(requested).toEqual([1, 2, 3])
  })

  it('starts over with the first page, and forgets what was requested', async () => {
    const { prefetch, requested, respond } = service(2)
    prefetch.expect(2)
    await respond(1)
    await respond(2)
    prefetch.restart()
    void prefetch.take(1)
    expect(requested).toEqual([1, 2, 1])
    await respond(1)
    prefetch.expect(3)
    expect(requested).toEqual([1, 2, 1, 2, 3])
  })

  it.each([
    [512 * 1024, [1, 2, 3, 4, 5]],
    [512 * 1024 + 1, [1, 2, 3, 4]],
    [3 * 1024 * 1024, [1]],
  ])('requests ahead what has at most 2 Mi characters if each page has %d: %j', async (length, expected) => {
    const { prefetch, requested, respond } = service(8, () => length)
    void prefetch.take(1)
    await respond(1)
    prefetch.expect(9)
    expect(requested).toEqual(expected)
  })

  it('requests pages ahead again once those that wait have had their turn', async () => {
    const { prefetch, requested, respond } = service(8, () => 1024 * 1024)
    void prefetch.take(1)
    await respond(1)
    prefetch.expect(9)
    await respond(2)
    await respond(3)
    expect(requested).toEqual([1, 2, 3])
    expect((await prefetch.take(2)).value).toBe(2)
    expect(requested).toEqual([1, 2, 3])
    expect((await prefetch.take(3)).value).toBe(3)
    expect(requested).toEqual([1, 2, 3, 4])
  })

  it('requests a page again in its turn if more than 2 Mi characters waited when it came', async () => {
    const { prefetch, requested, respond } = service(3, () => 1024 * 1024 + 1)
    prefetch.expect(3)
    await respond(3)
    await respond(2)
    expect([1, 2, 3].map((page) => prefetch.has(page))).toEqual([true, false, true])
    void prefetch.take(2)
    await respond(1)
    expect(requested).toEqual([1, 2, 3, 2])
  })
})
