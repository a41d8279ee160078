import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { barChartSvg } from '../src/bar-chart-svg.ts'
import { leaderboard, leaderboardSvg, leaderboardText } from '../src/leaderboard.ts'
import { readings, world } from './testing/world.ts'

it.each(readings)('ranks users and sources by what was spent, with %s', async (_reading, assumptions) => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = world({ transactions: 0, assumptions })
  guild.add([
    transaction({ platformId: 'ann', source: 'shop', total: 5 }),
    transaction({ platformId: 'bo', source: 'quest', total: 20 }),
    transaction({ platformId: 'ann', source: 'quest', total: 30 }),
    transaction({ platformId: 'cy', source: 'market', total: 5 }),
  ])

  const board = await leaderboard(ledger)

  expect(board).toEqual({
    byUser: [
      ['ann', 35],
      ['bo', 20],
      ['cy', 5],
    ],
    bySource: [
      ['quest', 50],
      ['market', 5],
      ['shop', 5],
    ],
    transactions: 4,
  })
})

it('counts every row of a long ledger once', async () => {
  const { guild, ledger } = world({ transactions: 350 })
  const { byUser, transactions } = await leaderboard(ledger)
  expect(transactions).toBe(350)
  expect(byUser.reduce((sum, [, value]) => sum + value, 0)).toBeCloseTo(
    guild.transactions.reduce((sum, { total }) => sum + total, 0),
  )
})

it('starts at a date if there is one', async () => {
  const { guild, ledger } = world({ transactions: 350 })
  const since = '2026-01-20T00:00:00.000Z'
  const { transactions } = await leaderboard(ledger, new Date(since))
  expect(transactions).toBe(guild.transactions.filter(({ createdAt }) => createdAt >= since).length)
})

it('draws bars for the terminal', () => {
  const text = leaderboardText({ byUser: [['ann', 10]], bySource: [['shop', 10]], transactions: 1 })
  expect(text).toMatch(/^by user\n {2}ann {2}█{30} {2}10\.00\n\nby source\n {2}shop {2}█{30} {2}10\.00$/)
})

it('draws the best ones only, the longest bar for the largest sum', () => {
  const byUser = Array.from({ length: 30 }, (_, i) => [`user-${i}`, 300 - i * 10] as const)
  const svg = leaderboardSvg({ byUser, bySource: [], transactions: 30 }, 3)
  expect([...svg.matchAll(/class="bar".* width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([320, 309, 299])
})

it('says in words what it shows, and holds for light and dark', () => {
  const svg = barChartSvg('Guild', [{ heading: 'by user', rows: [['ann', 1234.6]] }])
  expect(svg).toContain('role="img" aria-labelledby="title description"')
  expect(svg).toContain('<title id="title">Guild</title>')
  expect(svg).toContain('<desc id="description">by user: ann 1,235</desc>')
  expect(svg).toContain('@media (prefers-color-scheme: dark)')
})

it('takes names as text, whatever they hold, and cuts long ones', () => {
  const names = ['<script>alert("1")</script>', 'a & b', 'bell \u0007', 'half \uD800', '👩‍👩‍👧'.repeat(30)]
  const svg = barChartSvg('t', [{ heading: 'h', rows: names.map((name) => [name, 1] as const) }])
  expect(svg).not.toContain('<script')
  expect(svg).toContain('a &amp; b')
  expect(svg).toContain('bell \uFFFD')
  expect(svg).toContain('half \uFFFD')
  expect(svg).toContain(`>${'👩‍👩‍👧'.repeat(21)}…<`)
})

it.each([[[]], [[['refund', -5]]], [[['nothing', 0]]]] as const)('draws no bar of odd length for %j', (rows) => {
  const svg = barChartSvg('t', [{ heading: 'h', rows }])
  expect(svg).not.toMatch(/NaN|Infinity|width="-/)
})
