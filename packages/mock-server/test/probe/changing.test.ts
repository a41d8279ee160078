import { createMockLedger } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { changingService, inferFrom, respondFrom, roundTrip, truthOf, wrongIn, type Change } from './run-inference.ts'

// The first: a ledger that is empty at first. The next: responses between two known states that neither of them
// explains. The last: responses after the ledger was last read.
const found = [21_107, 20_011, 20_015, 830_345]
const seeds = process.env.CI ? [...found, ...Array.from({ length: 12 }, (_, i) => 90_000 + i)] : found.slice(1, 2)

it('decides nothing wrongly while the ledger grows', async () => {
  const problems: string[] = []
  for (const seed of seeds) {
    const { mock, respond } = changingService(seed)
    const { verdicts, inference } = await inferFrom(respond, 400)
    problems.push(...wrongIn(verdicts, truthOf(mock.assumptions)).map((one) => `seed ${seed}: ${one}`))
    problems.push(
      ...verdicts.flatMap(({ key, verdict }) => (verdict === 'outside' ? [`seed ${seed}: ${key} is outside`] : [])),
    )
    if (inference.tracker.hasShrunk) problems.push(`seed ${seed}: taken for a ledger that shrinks`)
  }

  expect(problems).toEqual([])
}, 120_000)

const wrongBefore: [change: Change, seeds: number[]][] = [
  // As many transactions as before, of one user: the oldest is lacking only among those that were read again.
  ['rolling', [1391]],
  // One that is older than what was read again.
  ['backdated', [413]],
]

it.each(wrongBefore)(
  'gives nothing a wrong value if the ledger is %s',
  async (change, before) => {
    const more = process.env.CI ? Array.from({ length: 12 }, (_, i) => 95_000 + i) : [95_000, 95_001]
    const { wrong } = await roundTrip([...before, ...more], { change })

    expect(wrong).toEqual([])
  },
  240_000,
)

it('sees a ledger that removes its oldest transaction as another enters, even if totals stay the same', async () => {
  const { inference, verdicts } = await inferFrom(changingService(600_135, 'rolling').respond)

  expect(inference.tracker.hasShrunk).toBe(true)
  expect(verdicts.filter(({ value }) => value !== undefined)).toEqual([])
})

it('calls everything open if no request is left for the oldest transactions of a ledger that has changed', async () => {
  const values = async (limit: number) => {
    const { inference, verdicts, targets } = await inferFrom(changingService(500_010).respond, limit)
    expect(inference.progress.changes).toBeGreaterThan(0)
    return { sent: targets.length, decided: verdicts.filter(({ value }) => value !== undefined).length, verdicts }
  }
  const whole = await values(400)
  const cut = await values(whole.sent - 1)

  expect(whole.decided).toBeGreaterThan(0)
  expect(cut.decided).toBe(0)
  expect(cut.verdicts.filter(({ needs }) => needs === 'more requests')).toHaveLength(cut.verdicts.length)
})

it('reads what entered a ledger with few requests, and stops if all of it has one time', async () => {
  const counts: number[] = []
  for (const seed of process.env.CI ? [100_009, 100_063, 300_016] : [100_009, 300_016]) {
    const { mock, respond } = changingService(seed)
    const { inference, targets, verdictOf } = await inferFrom(respond, 400)
    counts.push(targets.length - Math.ceil(mock.guild.transactions.length / 100))
    if (seed !== 300_016) continue
    expect(inference.isCutShort).toBe(true)
    expect(verdictOf('dateTimeForms')).toMatchObject({
      verdict: 'open',
      needs: 'a ledger that grows more slowly while it is probed',
    })
  }

  expect(Math.max(...counts)).toBeLessThanOrEqual(94)
})

it('decides nothing about a ledger that loses transactions meanwhile', async () => {
  const mock = createMockLedger({ transactions: 300, rateLimit: 'off' })
  const ids = mock.guild.transactions.map(({ transactionId }) => transactionId)
  let count = 0
  const respond = (target: string) => {
    if (++count > 4) mock.guild.remove(ids.splice(0, 2))
    return respondFrom(mock)(target)
  }

  const { inference, verdicts, verdictOf } = await inferFrom(respond)

  expect(inference.tracker.hasShrunk).toBe(true)
  expect(verdicts.filter(({ verdict }) => verdict === 'decided')).toEqual([])
  expect(verdictOf('groupOrder')?.candidates).toEqual(['first-transaction', 'platform-id', 'ledger'])
})

it('keeps the limit of requests, and calls open what it had no request left for', async () => {
  const { verdicts, targets } = await inferFrom(respondFrom(createMockLedger({ rateLimit: 'off' })), 12)
  const open = verdicts.filter(({ verdict }) => verdict === 'open')

  expect(targets).toHaveLength(12)
  expect(open).not.toEqual([])
  expect(new Set(open.map(({ needs }) => needs))).toEqual(new Set(['more requests']))
})

it.each([
  ['an empty ledger', 0],
  ['one transaction', 1],
])('decides nothing wrongly about %s', async (_, transactions) => {
  const mock = createMockLedger({
    transactions,
    rateLimit: 'off',
    assumptions: { invalidParameter: 'clamp', pageUnit: 'group' },
  })

  const { verdicts, verdictOf } = await inferFrom(respondFrom(mock))

  expect(wrongIn(verdicts, truthOf(mock.assumptions))).toEqual([])
  expect(verdictOf('pageUnit')?.verdict).toBe('consistent')
})

it('says that an empty ledger needs transactions, and takes for impossible what it rejects', async () => {
  const { verdicts, verdictOf } = await inferFrom(respondFrom(createMockLedger({ transactions: 0, rateLimit: 'off' })))

  expect(verdictOf('invalidParameter')).toMatchObject({ verdict: 'consistent', candidates: ['reject'] })
  expect(new Set(verdicts.map(({ needs }) => needs))).toEqual(new Set(['a ledger with transactions']))
})

it('does not take a ledger for one that loses transactions if a page of users begins with later ones', async () => {
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    assumptions: { pageUnit: 'group', groupOrder: 'platform-id' },
  })
  const entry = (i: number) => ({
    transactionId: `${String((i * 7919) % 10_007).padStart(8, '0')}-0000-4000-8000-000000000000`,
    platformId: `user-${900 - (i % 80)}`,
    name: `Item ${i % 7}`,
    source: `Shop ${i % 3}`,
    amount: 1 + (i % 13),
    quantity: 1 + (i % 5),
    total: 2 + (i % 17),
    createdAt: new Date(Date.UTC(2026, 5, 1) + i * 61_234).toISOString(),
  })
  mock.guild.add(Array.from({ length: 240 }, (_, i) => entry(i)))
  let count = 0
  let next = 240
  const { inference } = await inferFrom((target) => {
    if (++count % 7 === 0) mock.guild.add([entry(next++)])
    return respondFrom(mock)(target)
  }, 200)

  expect(inference.progress.changes).toBeGreaterThan(0)
  expect(inference.tracker.hasShrunk).toBe(false)
})
