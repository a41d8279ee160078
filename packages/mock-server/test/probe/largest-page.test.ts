import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { createDice, randomAssumptions } from './random-service.ts'
import { inferFrom, respondFrom, truthOf, wrongIn } from './run-inference.ts'

interface Given {
  readonly users: number
  readonly transactions?: number
  readonly seed?: number
  readonly assumptions: Partial<Assumptions>
}

const probed = async ({ seed = 562_979, transactions = 1200, ...given }: Given) => {
  const mock = createMockLedger({ seed, transactions, rateLimit: 'off', ...given })
  const inferred = await inferFrom(respondFrom(mock), 400)
  const truth = truthOf(mock.assumptions)
  const excluded = inferred.verdicts.filter(
    ({ key, candidates }) => !candidates.includes(truth[key] as string) && !candidates.includes('finite'),
  )
  return { ...inferred, wrong: [...wrongIn(inferred.verdicts, truth), ...excluded.map(({ key }) => key)] }
}

it.each([
  ['reject', 150, 1],
  ['clamp', 150, 1],
  ['default', 150, 1],
  ['reject', 350, 2],
] as const)(
  'reads all users if those above the largest page are hidden: %s, %i users, maxPage %i',
  async (invalidParameter, users, maxPage) => {
    const { inference, wrong, verdictOf } = await probed({
      users,
      assumptions: { pageUnit: 'group', invalidParameter, maxPage },
    })

    expect(inference.tracker.copy.items).toHaveLength(1200)
    expect(inference.tracker.hasShrunk).toBe(false)
    expect(wrong).toEqual([])
    expect(verdictOf('maxPage')).toMatchObject({ verdict: 'decided', value: maxPage })
  },
)

const seeds = Array.from({ length: process.env.CI ? 30 : 1 }, (_, seed) => seed)

it('decides nothing wrongly about pages of users with a small largest page', async () => {
  const problems: string[] = []
  for (const seed of seeds) {
    const dice = createDice(seed)
    const maxPage = dice.pick([1, 1, 2, 3])
    const given = { seed, users: dice.pick([90, 101, 150, 250, 350]), transactions: dice.pick([150, 600, 1200]) }
    const assumptions = { ...randomAssumptions(dice), pageUnit: 'group' as const, maxPage }
    const { wrong, inference } = await probed({ ...given, assumptions })
    problems.push(...wrong.map((one) => `seed ${seed}: ${one}`))
    if (inference.tracker.hasShrunk) problems.push(`seed ${seed}: taken for a ledger that shrinks`)
  }

  expect(problems).toEqual([])
}, 120_000)

it('finds a largest page above the pages that the ledger has', async () => {
  const { verdictOf } = await probed({
    seed: 18,
    users: 20,
    transactions: 600,
    assumptions: { pageUnit: 'group', invalidParameter: 'default', maxPage: 3 },
  })

  expect(verdictOf('maxPage')).toMatchObject({ verdict: 'decided', value: 3 })
})

it('says that pages have fewer items than the limit, and excludes nothing', async () => {
  const mock = createMockLedger({ users: 30, transactions: 700, rateLimit: 'off' })
  const { inference, verdicts } = await inferFrom((target) =>
    respondFrom(mock)(target.replace(/limit=(5[1-9]|[6-9]\d|100)\b/, 'limit=50')),
  )

  expect(inference.tracker.hasShrunk).toBe(false)
  expect(inference.isComplete).toBe(false)
  expect(verdicts[0]).toMatchObject({
    key: 'pageUnit',
    verdict: 'consistent',
    candidates: ['transaction', 'group'],
    needs: 'a ledger that can be read to its end: pages have fewer items than `limit`',
  })
})

it('takes a largest page for none if the page above all was rejected only once, and ends', async () => {
  const mock = createMockLedger({ seed: 1, transactions: 60, users: 5, rateLimit: 'off' })
  const respond = respondFrom(mock)
  let isRejected = false
  const { verdictOf, targets } = await inferFrom((target) => {
    const isFault = target.includes(`page=${Number.MAX_SAFE_INTEGER}`) && !isRejected
    isRejected ||= isFault
    return isFault ? { status: 400, body: '{"success":false,"message":"no"}' } : respond(target)
  })

  expect(verdictOf('maxPage')?.value).toBeUndefined()
  expect(targets.length).toBeLessThan(60)
})

it.each([2 ** 31, 2 ** 40 + 1, 2 ** 53 - 3])('finds the largest page %i', async (maxPage) => {
  const { wrong, targets } = await probed({ users: 5, transactions: 60, assumptions: { maxPage } })

  expect(wrong).toEqual([])
  expect(targets.length).toBeLessThan(150)
})
