import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createProgress, progressLine } from './progress.ts'

const figures = { rows: 12_300, pages: 123, totalPages: 1000, seconds: 12.3 }

it.each([
  [80, '12,300 rows  page 123/1,000  1:28 left  1,000 rows/s'],
  [40, '12,300 rows  page 123/1,000  1:28 left'],
  [30, '12,300 rows  page 123/1,000'],
  [12, '12,300 rows'],
  [5, ''],
])('fits into %i columns', (columns, line) => {
  expect(progressLine(figures, columns)).toBe(line)
})

it.each([
  ['before the first page', { rows: 0, pages: 0, totalPages: undefined }, '0 rows  page 0  0 rows/s'],
  ['on the last page', { rows: 50, pages: 1, totalPages: 1 }, '50 rows  page 1/1  25 rows/s'],
  ['in hours', { rows: 1000, pages: 1, totalPages: 10_001 }, '1,000 rows  page 1/10,001  5:33:20 left  500 rows/s'],
])('says no time where none is known, and hours where it takes them: %s', (_, given, line) => {
  expect(progressLine({ ...given, seconds: 2 }, 80)).toBe(line)
})

it('shows on a terminal, five times a second at most, which page of how many there is', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const { middleware, show, end } = createProgress(stream as unknown as NodeJS.WriteStream)
  const page = async () => Response.json({ pagination: { totalPages: 3 } })
  await middleware[0]?.({}, async () => Response.json({}, { status: 503 }))
  await middleware[0]?.({}, page)
  show(1)
  vi.advanceTimersByTime(200)
  show(50)
  show(60)
  end()

  expect(stripVTControlCharacters(String(stream.read()))).toBe('\r50 rows  page 1/3  0:00 left  250 rows/s\r')
})
