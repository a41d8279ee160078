import { createMockLedger } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import { foreignServices, oracleService } from './foreign-services.ts'
import { casesToRun, createDice, defaults, largeLedger, randomAssumptions } from './random-service.ts'
import { inferFrom, wrongIn, type Respond } from './run-inference.ts'

const seeds = Array.from({ length: process.env.CI ? 4 : 1 }, (_, seed) => seed)

it('decides nothing wrongly about a service written without the mock', async () => {
  const wrong: string[] = []
  for (const seed of seeds) {
    const transactions = largeLedger(seed)
    const values = { ...defaults, ...randomAssumptions(createDice(seed)) }
    const { verdicts } = await inferFrom(oracleService(transactions, values))
    wrong.push(...wrongIn(verdicts, values).map((one) => `seed ${seed}: ${one}`))
    wrong.push(
      ...verdicts.flatMap(({ key, verdict }) => (verdict === 'outside' ? [`seed ${seed}: ${key} is outside`] : [])),
    )
  }

  expect(wrong).toEqual([])
}, 240_000)

describe.each(casesToRun(foreignServices))('about a service that $title', ({ affected, create, values }) => {
  it('decides nothing wrongly, decides nothing that it cannot know, and keeps the limit of requests', async () => {
    const problems: string[] = []
    for (const seed of seeds) {
      const transactions = largeLedger(seed)
      const { verdicts, targets } = await inferFrom(create(transactions, { ...defaults, ...values }), 150)
      const own = new Set(affected)
      problems.push(
        ...wrongIn(verdicts, { ...defaults, ...values })
          .filter((one) => !own.has(one.split(':')[0] ?? ''))
          .map((one) => `seed ${seed}: ${one}`),
        ...verdicts.flatMap(({ key, verdict, value }) =>
          own.has(key) && verdict === 'decided' ? [`seed ${seed}: ${key} is decided as ${String(value)}`] : [],
        ),
      )
      expect(targets.length).toBeLessThanOrEqual(150)
    }

    expect(problems).toEqual([])
  }, 240_000)
})

const lastPage = foreignServices.find(({ title }) => title.startsWith('responds to a page after the last'))

const ledgers: [count: number, summaryScope: string][] = [
  [200, 'guild'],
  [500, 'match'],
]
if (process.env.CI) ledgers.push([200, 'match'], [500, 'guild'])

it.each(ledgers)(
  'takes a last page that repeats for nothing that a value describes, with %i transactions and a summary of %s',
  async (count, summaryScope) => {
    const values = { ...defaults, summaryScope }
    const { transactions } = createMockLedger({ transactions: count }).guild
    const respond = lastPage?.create([...transactions], values) ?? oracleService([], values)

    const { verdictOf, verdicts } = await inferFrom(respond)

    expect(verdictOf('maxPage')).toMatchObject({ verdict: 'outside' })
    expect(wrongIn(verdicts, values).filter((one) => !one.startsWith('notFoundWhen'))).toEqual([])
  },
)

it('does not decide a largest page of 1 from a last page that repeats, as the ledger has one page', async () => {
  const { transactions } = createMockLedger({ transactions: 1 }).guild
  const respond = lastPage?.create([...transactions], defaults) ?? oracleService([], defaults)

  const { verdictOf } = await inferFrom(respond)

  expect(verdictOf('maxPage')).toMatchObject({ verdict: 'consistent', needs: 'two users with transactions' })
})

it.each([3, 60])('does not decide a largest page of 1 if a second page has transactions, with %i', async (count) => {
  const { transactions } = createMockLedger({ transactions: count, users: 2 }).guild
  const values = { ...defaults, invalidParameter: 'clamp' }
  const respond = lastPage?.create([...transactions], values) ?? oracleService([], values)

  const { verdictOf } = await inferFrom(respond)

  expect(verdictOf('maxPage')).toMatchObject({ verdict: 'outside' })
})

it('does not decide what a page counts if its number is not explained', async () => {
  const { transactions } = createMockLedger({ transactions: 3, users: 5 }).guild
  const respond = lastPage?.create([...transactions], defaults) ?? oracleService([], defaults)

  expect((await inferFrom(respond)).verdictOf('pageUnit')).toMatchObject({ verdict: 'outside' })
})

it('looks for the largest page once, where pages above it show a page below it', async () => {
  const service = oracleService([...createMockLedger({ transactions: 150 }).guild.transactions], defaults)
  const respond: Respond = (target) =>
    service(target.replace(/([?&]page=)(\d+)/, (_, name: string, page: string) => name + (+page >= 50 ? 40 : page)))

  const { targets, verdictOf } = await inferFrom(respond)

  expect(targets.filter((target) => /[?&]page=41(&|$)/.test(target)).length).toBe(1)
  expect(verdictOf('maxPage')).toMatchObject({ verdict: 'outside' })
})
