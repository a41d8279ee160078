import { afterEach, describe, expect, it, vi } from 'vitest'
import { assume, setProcessWide, type TraceEvent, type Variant } from '../assumptions/index.ts'
import type { OperationResult } from '../http.ts'
import { createTrace } from './trace.ts'

afterEach(() => void setProcessWide(undefined))

const current = assume({})
const variants: readonly Variant[] = [
  { alternative: { key: 'pageUnit', value: 'group' }, changes: { pageUnit: 'group', maxPage: 3 } },
  { alternative: { key: 'userLimit', value: 7 }, changes: { userLimit: 7 } },
]
const touched = [
  { key: 'pageUnit', value: 'group' },
  { key: 'userLimit', value: 7 },
]

const traceOf = (pins: object, given?: readonly Variant[]) => {
  const onTrace = vi.fn<(event: TraceEvent) => void>()
  setProcessWide({ onTrace, ...(given && { variants: given }) })
  const trace = createTrace(() => pins)
  if (!trace) throw new Error('there is no trace')
  return { trace, onTrace }
}

it('is missing where nobody listens', () => {
  expect(createTrace(() => ({}))).toBeUndefined()
  setProcessWide({ variants })
  expect(createTrace(() => ({}))).toBeUndefined()
})

describe('a trace of given variants', () => {
  it('compares with them, without the values that the mock was given', () => {
    const { trace } = traceOf({ maxPage: 9 }, variants)

    expect(trace.variantsTo(current)).toBe(variants)
    expect(variants.map((one) => trace.valuesUnder(one, current))).toEqual([
      { ...current, pageUnit: 'group' },
      { ...current, userLimit: 7 },
    ])
  })

  it('reports those that differ, none of them as pinned', () => {
    const { trace, onTrace } = traceOf({ userLimit: 20 }, variants)

    trace.differs([])
    expect(onTrace).not.toHaveBeenCalled()
    trace.differs(variants)
    expect(onTrace.mock.calls).toEqual([[{ touched, pinned: [] }]])
  })

  it('reports those under which a result differs', () => {
    const { trace, onTrace } = traceOf({}, variants)
    const resultUnder = ({ userLimit }: typeof current) => ({ status: userLimit }) as unknown as OperationResult

    trace.result(resultUnder(current), current, resultUnder)

    expect(onTrace.mock.calls).toEqual([[{ touched: [{ key: 'userLimit', value: 7 }], pinned: [] }]])
  })
})

describe('a trace of every other value', () => {
  it('compares with each of them, pinned or not', () => {
    const { trace } = traceOf({ pageUnit: 'transaction' })

    const one = trace.variantsTo(current).find(({ alternative }) => alternative.key === 'pageUnit')

    expect(one).toEqual({ alternative: { key: 'pageUnit', value: 'group' }, changes: { pageUnit: 'group' } })
    expect(one && trace.valuesUnder(one, current)).toEqual({ ...current, pageUnit: 'group' })
  })

  it('reports assumptions whose value the mock was given apart, and each once', () => {
    const { trace, onTrace } = traceOf({ userLimit: 20 })

    trace.differs([...variants, { alternative: { key: 'userLimit', value: 8 }, changes: { userLimit: 8 } }])

    expect(onTrace.mock.calls).toEqual([[{ touched: [{ key: 'pageUnit', value: 'group' }], pinned: ['userLimit'] }]])
  })
})
