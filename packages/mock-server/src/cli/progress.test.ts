import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from './progress.ts'

beforeEach(() => void vi.stubEnv('FORCE_COLOR', undefined))

/** What is written for a million transactions in ten seconds, reported every 20 ms. */
const written = async (isTTY: boolean, share: (part: number) => number | undefined = (part) => part) => {
  let now = 0
  const stream = Object.assign(new PassThrough(), { isTTY, getColorDepth: () => 1 })
  const progress = createProgress(stream as unknown as NodeJS.WriteStream, '--data x', () => now)
  for (; now <= 10_000; now += 20) progress.report(now * 100, share(now / 10_000))
  progress.end()
  stream.end()
  return text(stream)
}

it('the progress writes a few lines where the stream is no terminal', async () => {
  expect(await written(false)).toBe('--data x: 200000 transactions, 20 %\n--data x: 700000 transactions, 70 %\n')
})

it('the progress leaves out the share where it is unknown', async () => {
  expect(await written(false, () => undefined)).toBe('--data x: 200000 transactions\n--data x: 700000 transactions\n')
})

it('the progress updates one line of a terminal and clears it at the end', async () => {
  const lines = (await written(true)).split('\r')

  expect(lines).toHaveLength(102)
  expect(lines[1]).toBe('--data x: 10000 transactions, 1 %\u001B[K')
  expect(lines.at(-1)).toBe('\u001B[K')
})

it('the progress writes nothing for a short operation', () => {
  let now = 0
  const texts: string[] = []
  const stream = { isTTY: true, write: (line: string) => texts.push(line) }
  const progress = createProgress(stream as unknown as NodeJS.WriteStream, '--data x', () => now)

  for (; now < 100; now += 10) progress.report(1, 1)
  progress.end()

  expect(texts).toEqual([])
})
