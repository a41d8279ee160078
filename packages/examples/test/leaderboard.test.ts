import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { barChartSvg } from '../src/bar-chart-svg.ts'
import { leaderboard, leaderboardSvg } from '../src/leaderboard.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

it.each(assumptionSets)('the leaderboard ranks users and sources by total, with %s', async (_name, assumptions) => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0, assumptions })
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

it('the leaderboard counts every transaction of several pages once', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 350 })
  const { byUser, transactions } = await leaderboard(ledger)
  expect(transactions).toBe(350)
  expect(byUser.reduce((sum, [, value]) => sum + value, 0)).toBeCloseTo(
    guild.transactions.reduce((sum, { total }) => sum + total, 0),
  )
})

it.each(['inclusive', 'exclusive'] as const)(
  'the leaderboard can start at a date that is %s',
  async (startDateBound) => {
    const { guild, ledger } = createIsolatedMock({ transactions: 350, assumptions: { startDateBound } })
    const since = '2026-01-20T00:00:00.000Z'
    const { transactions } = await leaderboard(ledger, new Date(since))
    expect(transactions).toBe(guild.transactions.filter(({ createdAt }) => createdAt >= since).length)
  },
)

it('the SVG chart shows only the first places, with bar lengths in proportion to the sums', () => {
  const byUser = Array.from({ length: 30 }, (_, i) => [`user-${i}`, 300 - i * 10] as const)
  const svg = leaderboardSvg({ byUser, bySource: [], transactions: 30 }, 3)
  expect([...svg.matchAll(/class="bar".* width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([320, 309, 299])
})

it('the SVG chart escapes names and shortens long ones', () => {
  const names = ['<script>alert("1")</script>', 'a & b', 'bell \u0007', 'half \uD800', '👩‍👩‍👧'.repeat(30)]
  const svg = barChartSvg('t', [{ heading: 'h', rows: names.map((name) => [name, 1] as const) }])
  expect(svg).not.toContain('<script')
  expect(svg).toContain('a &amp; b')
  expect(svg).toContain('bell \uFFFD')
  expect(svg).toContain('half \uFFFD')
  expect(svg).toContain(`>${'👩‍👩‍👧'.repeat(21)}…<`)
})
