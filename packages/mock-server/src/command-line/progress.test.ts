import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from './progress.ts'

beforeEach(() => void vi.stubEnv('FORCE_COLOR', undefined))

/** A million rows in ten seconds, told of every 20 ms; what was written on the way, and at the end. */
const written = async (isTTY: boolean, share: (part: number) => number | undefined = (part) => part) => {
  let now = 0
  const stream = Object.assign(new PassThrough(), { isTTY, getColorDepth: () => 1 })
  const progress = createProgress(stream as unknown as NodeJS.WriteStream, '--data x', () => now)
  for (; now <= 10_000; now += 20) progress.tell(now * 100, share(now / 10_000))
  progress.end()
  stream.end()
  return text(stream)
}

it('is a few lines where nobody watches', async () => {
  expect(await written(false)).toBe('--data x: 200000 rows, 20 %\n--data x: 700000 rows, 70 %\n')
})

it('leaves out the share where it is not known', async () => {
  expect(await written(false, () => undefined)).toBe('--data x: 200000 rows\n--data x: 700000 rows\n')
})

it('is one line of a terminal, gone at the end', async () => {
  const lines = (await written(true)).split('\r')

  expect(lines).toHaveLength(102)
  expect(lines[1]).toBe('--data x: 10000 rows, 1 %\u001B[K')
  expect(lines.at(-1)).toBe('\u001B[K')
})

it('says nothing of what is over soon', () => {
  let now = 0
  const texts: string[] = []
  const stream = { isTTY: true, write: (line: string) => texts.push(line) }
  const progress = createProgress(stream as unknown as NodeJS.WriteStream, '--data x', () => now)

  for (; now < 100; now += 10) progress.tell(1, 1)
  progress.end()

  expect(texts).toEqual([])
})
