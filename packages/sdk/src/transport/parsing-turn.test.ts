import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parsingTurn } from './parsing-turn.ts'

let tests = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(++tests * 10_000) // what earlier tests parsed does not count any more
})
afterEach(() => void vi.useRealTimers())

/** Which of these strings may be parsed in this turn of the event loop. */
const now = async (...characters: readonly number[]): Promise<readonly boolean[]> => {
  const may = characters.map(() => false)
  for (const [i, count] of characters.entries()) void parsingTurn(count).then(() => (may[i] = true))
  for (let i = 0; i < 10; i++) await Promise.resolve()
  const seen = [...may]
  await vi.waitUntil(() => !may.includes(false), { interval: 0 })
  return seen
}

it('lets 262,144 characters be parsed in one turn of the event loop, and more in another one', async () => {
  expect(await now(200_000, 62_144, 1)).toEqual([true, true, false])
})

it('lets a string of any length be parsed if it is the first one of a turn', async () => {
  expect(await now(1_000_000, 1)).toEqual([true, false])
})

it('counts anew in each turn', async () => {
  const parsed: number[] = []
  const all = [1, 2, 3].map(async (number) => {
    await parsingTurn(200_000)
    parsed.push(number)
  })

  await all[1]
  await Promise.resolve()
  expect(parsed).toEqual([1, 2])
  await all[2]

  expect(parsed).toEqual([1, 2, 3])
})

it.each([
  ['together with those of a second ago', 1000, false],
  ['not together with those of longer ago', 1001, true],
])('counts a string %s', async (_, apartMs, expected) => {
  await parsingTurn(262_144)

  vi.advanceTimersByTime(apartMs)

  expect(await now(1)).toEqual([expected])
})

it('counts a string not together with those of a clock that has gone back since', async () => {
  await parsingTurn(262_144)

  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['performance'] })

  expect(await now(1)).toEqual([true])
})

it('leaves no port open behind', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  const before = ports()

  await now(262_144, 1)

  await vi.waitFor(() => expect(ports()).toBeLessThanOrEqual(before), { timeout: 10_000 })
})
