import { afterEach, expect, it, vi } from 'vitest'
import { assume, setProcessWide, type Alternative, type TraceEvent } from '../assumptions/index.ts'
import { createTrace } from './trace.ts'

afterEach(() => void setProcessWide(undefined))

const touched: Alternative[] = [
  { key: 'pageUnit', value: 'group' },
  { key: 'userLimit', value: 1 },
  { key: 'userLimit', value: 100 },
]

it('computes nothing where nobody listens', () => {
  const alternatives = vi.fn(() => touched)

  createTrace(() => ({}))({ of: 'response' }, assume(), alternatives)

  expect(alternatives).not.toHaveBeenCalled()
})

it('tells a listener that came later the values in force, and what was given apart from what may change', () => {
  const trace = createTrace(() => ({ userLimit: 20 }))
  const onTrace = vi.fn<(event: TraceEvent) => void>()
  setProcessWide({ onTrace })

  trace({ of: 'response' }, assume({ tieOrder: 'ledger' }), () => touched)

  expect(onTrace.mock.calls).toEqual([
    [
      {
        of: 'response',
        inForce: { tieOrder: 'ledger' },
        touched: [{ key: 'pageUnit', value: 'group' }],
        pinned: ['userLimit'],
      },
    ],
  ])
})
