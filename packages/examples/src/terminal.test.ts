import { expect, it } from 'vitest'
import { bar, barChart, progressOn } from './terminal.ts'

it.each([
  [0, '░░░░'],
  [0.5, '██░░'],
  [1, '████'],
  [7, '████'],
])('draws %d as %s', (share, expected) => {
  expect(bar(share, 4)).toBe(expected)
})

it('gives the largest value the whole width', () => {
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

it('draws over its line on a terminal', () => {
  const written: string[] = []
  const show = progressOn({ isTTY: true, write: (text) => written.push(text) })
  show(0.5, 'page 1 of 2')
  show(1, 'page 2 of 2')
  expect(written.map((text) => text.startsWith('\r'))).toEqual([true, true])
  expect(written.at(-1)?.endsWith('\n')).toBe(true)
})

it('writes a line for each tenth elsewhere', () => {
  const written: string[] = []
  const show = progressOn({ write: (text) => written.push(text) })
  for (let page = 1; page <= 100; page += 1) show(page / 100, `page ${page}`)
  expect(written).toHaveLength(10)
  expect(written.at(-1)).toBe('page 100\n')
})
