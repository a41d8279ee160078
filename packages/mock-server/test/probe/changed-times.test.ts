import { expect, it } from 'vitest'
import { oracleService } from './foreign-services.ts'
import { casesToRun, defaults, largeLedger } from './random-service.ts'
import { inferFrom, type Respond } from './run-inference.ts'

type Change = (time: number) => number
type Bounds = readonly [start: string, end: string]

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const by =
  (ms: number): Change =>
  (time) =>
    time + ms
const cutTo =
  (unit: number): Change =>
  (time) =>
    Math.floor(time / unit) * unit
const endOf =
  (unit: number): Change =>
  (time) =>
    cutTo(unit)(time) + unit - 1
const asSent: Change = (time) => time

const both: Bounds = ['inclusive', 'inclusive']
const neither: Bounds = ['exclusive', 'exclusive']
const startOnly: Bounds = ['inclusive', 'exclusive']
const endOnly: Bounds = ['exclusive', 'inclusive']

/** A service that changes the times of filters before it compares them. */
const serviceWith = (seed: number, [start, end]: readonly [Change, Change], bounds: Bounds): Respond => {
  const [startDateBound, endDateBound] = bounds
  const service = oracleService(largeLedger(seed), { ...defaults, startDateBound, endDateBound })
  return (target) => {
    const url = new URL(target, 'http://127.0.0.1')
    for (const [name, change] of [
      ['startDate', start],
      ['endDate', end],
    ] as const) {
      const time = Date.parse(url.searchParams.get(name) ?? '')
      if (!Number.isNaN(time)) url.searchParams.set(name, new Date(change(time)).toISOString())
    }
    return service(url.pathname + url.search)
  }
}

interface Given {
  readonly title: string
  readonly changes: readonly [Change, Change]
  readonly bounds: Bounds
}

const cases: Given[] = [
  { title: 'two hours earlier', changes: [by(-2 * hour), by(-2 * hour)], bounds: both },
  { title: 'an hour later', changes: [by(hour), by(hour)], bounds: neither },
  { title: 'a second earlier', changes: [by(-second), by(-second)], bounds: endOnly },
  { title: 'a millisecond earlier', changes: [by(-1), by(-1)], bounds: both },
  { title: 'a millisecond later', changes: [by(1), by(1)], bounds: endOnly },
  { title: 'cut to seconds', changes: [cutTo(second), cutTo(second)], bounds: both },
  { title: 'cut to minutes', changes: [cutTo(minute), cutTo(minute)], bounds: neither },
  { title: 'up to the next hour', changes: [endOf(hour), endOf(hour)], bounds: startOnly },
  { title: 'from the start to the end of seconds', changes: [cutTo(second), endOf(second)], bounds: both },
  { title: 'from an hour earlier to an hour later', changes: [by(-hour), by(hour)], bounds: neither },
  { title: 'from a millisecond later to one earlier', changes: [by(1), by(-1)], bounds: startOnly },
]
/** Changes of one bound. The other one may get its value. */
const ofStart: Given[] = [
  { title: 'two hours earlier', changes: [by(-2 * hour), asSent], bounds: startOnly },
  { title: 'a second later', changes: [by(second), asSent], bounds: both },
]
const ofEnd: Given[] = [
  { title: 'two hours earlier', changes: [asSent, by(-2 * hour)], bounds: both },
  { title: 'cut to seconds', changes: [asSent, cutTo(second)], bounds: endOnly },
]

const seeds = process.env.CI ? [0, 1, 2] : [0]

const valuesOf = async (keys: readonly string[], { changes, bounds }: Given): Promise<string[]> => {
  const found: string[] = []
  for (const seed of seeds) {
    const { verdicts } = await inferFrom(serviceWith(seed, changes, bounds))
    found.push(
      ...verdicts.flatMap(({ key, value }) =>
        keys.includes(key) && value !== undefined ? [`seed ${seed}: ${key} ${String(value)}`] : [],
      ),
    )
  }
  return found
}

it.each(casesToRun(cases))('gives no bound a value if a service takes both for other times: $title', async (given) => {
  expect(await valuesOf(['startDateBound', 'endDateBound'], given)).toEqual([])
})

it.each(casesToRun(ofStart))(
  'gives the start no value if a service takes it for another time: $title',
  async (given) => {
    expect(await valuesOf(['startDateBound'], given)).toEqual([])
  },
)

it.each(casesToRun(ofEnd))('gives the end no value if a service takes it for another time: $title', async (given) => {
  expect(await valuesOf(['endDateBound'], given)).toEqual([])
})

it('gives both bounds their values if a service takes them for the times that were sent', async () => {
  for (const bounds of [both, neither, startOnly, endOnly]) {
    const { verdictOf } = await inferFrom(serviceWith(0, [asSent, asSent], bounds))

    expect([verdictOf('startDateBound')?.value, verdictOf('endDateBound')?.value]).toEqual(bounds)
  }
})
