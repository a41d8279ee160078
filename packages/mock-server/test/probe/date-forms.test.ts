import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import { inferFrom, respondFrom } from './run-inference.ts'

/** A service with a transaction every twelve minutes for two days and a half. */
const serviceFrom = (start: string, assumptions: Partial<Assumptions>) => {
  const mock = createMockLedger({ transactions: 300, users: 20, rateLimit: 'off', assumptions })
  const entries = mock.guild.transactions.map((entry, i) => ({
    ...entry,
    createdAt: new Date(Date.parse(start) + i * 12 * 60_000).toISOString(),
  }))
  mock.guild.remove(entries.map(({ transactionId }) => transactionId))
  mock.guild.add(entries)
  return mock
}

const verdictFor = async (respond: Parameters<typeof inferFrom>[0]) =>
  (await inferFrom(respond)).verdictOf('dateTimeForms')

const summer = '2026-06-10T20:05:00.000Z'
const winter = '2026-01-10T20:05:00.000Z'

it.each([
  ['offset', 'reject'],
  ['offset', 'default'],
  ['no-offset', 'reject'],
  ['no-offset', 'default'],
  ['date', 'reject'],
] as const)('decides %s where an invalid parameter means %s', async (dateTimeForms, invalidParameter) => {
  const mock = serviceFrom(summer, { dateTimeForms, invalidParameter })

  expect(await verdictFor(respondFrom(mock))).toMatchObject({ verdict: 'decided', value: dateTimeForms })
})

it('decides in winter only that an offset is needed: London looks like UTC then', async () => {
  const verdicts = ['offset', 'no-offset', 'date'].map((value) =>
    verdictFor(respondFrom(serviceFrom(winter, { dateTimeForms: value as 'date' }))),
  )

  expect(await Promise.all(verdicts)).toMatchObject([
    { verdict: 'decided', value: 'offset' },
    { verdict: 'consistent', candidates: ['no-offset'], needs: expect.stringContaining('London') },
    { verdict: 'consistent', candidates: ['date'], needs: expect.stringContaining('London') },
  ])
})

it.each(['+00:30', '-00:30', '+01:00', '-05:00', '+09:30'])(
  'does not decide anything about a service that takes a time without an offset for one at %s',
  async (offset) => {
    const respond = respondFrom(serviceFrom(summer, { dateTimeForms: 'date' }))
    const service = (target: string) =>
      respond(
        target
          .replace(/Date=(\d{4}-\d\d-\d\dT[\d%A.]*)(?=&|$)/g, `Date=$1${encodeURIComponent(offset)}`)
          .replace(/Date=(\d{4}-\d\d-\d\d)(?=&|$)/g, `Date=$1T00:00:00${encodeURIComponent(offset)}`),
      )

    expect((await verdictFor(service))?.verdict).not.toBe('decided')
  },
)

describe('no value describes a service that', () => {
  const otherwise = (change: (target: string) => string | undefined, assumptions: Partial<Assumptions>) => {
    const respond = respondFrom(serviceFrom(summer, assumptions))
    return verdictFor((target) => {
      const changed = change(target)
      return changed === undefined ? { status: 400, body: '{"success":false,"message":"invalid"}' } : respond(changed)
    })
  }
  const withOffset = /(Date=[^&]*)(?:%2B|-)\d\d%3A\d\d(?=&|$)/
  const outside = { verdict: 'outside', observed: expect.stringContaining('dateTimeForms.') }

  it.each(['offset', 'no-offset', 'date'] as const)('accepts %s, but with Z only', async (dateTimeForms) => {
    const rejecting = (target: string) => (withOffset.test(target) ? undefined : target)

    expect(await otherwise(rejecting, { dateTimeForms })).toMatchObject(outside)
  })

  it('leaves out a time with an offset', async () => {
    const ignoring = (target: string) => target.replace(new RegExp(`[a-z]+${withOffset.source}&?`), '')

    expect(await otherwise(ignoring, { invalidParameter: 'default' })).toMatchObject(outside)
  })

  it.each(['reject', 'default'] as const)('ignores an offset, where an invalid parameter means %s', async (value) => {
    const ignoring = (target: string) => target.replace(withOffset, '$1Z')

    expect(await otherwise(ignoring, { invalidParameter: value })).toMatchObject(outside)
  })

  it.each<[string, string | undefined]>([
    ['takes a date as the end for the last moment of the day', 'endDate=$1T23%3A59%3A59.999Z'],
    ['leaves out a date as the end', ''],
    ['rejects a date as the end', undefined],
  ])('%s', async (_, replacement) => {
    const dateAsEnd = /endDate=(\d{4}-\d\d-\d\d)(?=&|$)/
    const changing = (target: string) =>
      replacement === undefined && dateAsEnd.test(target) ? undefined : target.replace(dateAsEnd, replacement ?? '')

    expect(await otherwise(changing, { dateTimeForms: 'date' })).toMatchObject(outside)
  })
})
