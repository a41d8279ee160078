import { expect, it } from 'vitest'
import { createPrefetch } from './prefetch.ts'

const setUp = (sizeOf: (page: number) => number, concurrency = 20) => {
  const requested: number[] = []
  const read = async (page: number) => {
    requested.push(page)
    return { page, size: sizeOf(page) }
  }
  const { signal } = new AbortController()
  const pages = createPrefetch(
    read,
    () => concurrency,
    () => 2 * concurrency,
    signal,
  )
  /** Takes a page, and lets everything arrive that was requested. */
  const take = async (page: number) => {
    await pages.take(page)
    if (page === 1) pages.expect(1000)
    await new Promise((resolve) => setTimeout(resolve))
    return requested.length - page
  }
  return { take }
}

it.each([
  [20_000, 39],
  [100_000, 13],
  [300_000, 4],
  [1_000_000, 1],
  [16_000_000, 1],
])('keeps pages of %i characters ahead only as far as they fit into 4 MiB: %i of them', async (size, most) => {
  const { take } = setUp(() => size)

  const ahead = []
  for (let page = 1; page <= 5; page++) ahead.push(await take(page))

  expect(ahead).toEqual([most, most, most, most, most])
})

it('requests fewer ahead from the first larger page on', async () => {
  const { take } = setUp((page) => (page < 10 ? 1000 : 400_000))

  const ahead = []
  for (let page = 1; page <= 60; page++) ahead.push(await take(page))

  expect(ahead[0]).toBeGreaterThan(20)
  expect(ahead.slice(40)).toEqual(Array(20).fill(3))
})
