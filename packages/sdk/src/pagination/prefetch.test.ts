import { describe, expect, it } from 'vitest'
import { createPrefetch } from './prefetch.ts'

/** A service whose responses arrive when the test says so. */
const service = (concurrency = 2) => {
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
    prefetch: createPrefetch(read, 1, () => concurrency, controller.signal),
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
})
