import { expect, it } from 'vitest'
import { comparedWith } from './changes.ts'

it('counts a value as checked that is the only one left, unless it is one of several numbers', () => {
  const expected = { assumptions: { nameOrder: 'code-point', userLimit: 20, maxLimit: 100 } } as const
  const findings = [
    { key: 'nameOrder', verdict: 'unproven', candidates: ['code-point'], evidence: [] },
    { key: 'userLimit', verdict: 'unproven', candidates: [20], evidence: [] },
    { key: 'maxLimit', verdict: 'ambiguous', candidates: [100], evidence: [] },
  ] as const

  expect(comparedWith(expected, findings)).toEqual({ changes: [], unchecked: ['maxLimit'] })
  const now = { verdict: 'unexplained', candidates: [] } as const
  expect(comparedWith(expected, [{ key: 'nameOrder', ...now, evidence: [] }])).toMatchObject({
    changes: [{ key: 'nameOrder', expected: 'code-point', now }],
  })
})
