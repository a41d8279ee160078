import { expect, it } from 'vitest'
import { comparedWith } from './changes.ts'

const left = { verdict: 'unproven', evidence: [] } as const
it('counts a value as checked that is the only one left, unless it is a number, which stands for others', () => {
  const expected = { assumptions: { nameOrder: 'code-unit', maxLimit: 100 } } as const
  const findings = [
    { ...left, key: 'nameOrder', candidates: ['code-unit'] },
    { ...left, key: 'maxLimit', candidates: [100] },
  ] as const

  expect(comparedWith(expected, findings)).toEqual({ changes: [], unchecked: ['maxLimit'] })
})
