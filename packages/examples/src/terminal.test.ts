import { expect, it } from 'vitest'
import { bar, barChart, createProgress } from './terminal.ts'

it.each([
  [0, '░░░░'],
  [0.5, '██░░'],
  [1, '████'],
  [7, '████'],
])('a bar for %d is %s', (share, expected) => {
  expect(bar(share, 4)).toBe(expected)
})

it('the largest value of a bar chart has the longest bar', () => {
  expect(
    barChart(
      [
        ['ann', 10],
        ['bo', 5],
      ],
      4,
    ),
  ).toBe('  ann  ████  10.00\n  bo   ██░░  5.00')
})

it('progress is redrawn on the same line of a terminal', () => {
  const written: string[] = []
  const show = createProgress({ isTTY: true, write: (text) => written.push(text) })
  show(0.5, 'page 1 of 2')
  show(1, 'page 2 of 2')
  expect(written.map((text) => text.startsWith('\r'))).toEqual([true, true])
  expect(written.at(-1)?.endsWith('\n')).toBe(true)
})

it('progress is a line every ten per cent if the output is not a terminal', () => {
  const written: string[] = []
  const show = createProgress({ write: (text) => written.push(text) })
  for (let page = 1; page <= 100; page++) show(page / 100, `page ${page}`)
  expect(written).toHaveLength(10)
  expect(written.at(-1)).toBe('page 100\n')
})
