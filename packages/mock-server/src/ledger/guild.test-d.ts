import { expectTypeOf, it } from 'vitest'
import type { Assumptions, Fault, MockLedger } from '../index.ts'

it('accepts some assumptions, and no unknown ones', () => {
  expectTypeOf<Parameters<MockLedger['guild']['assume']>>().toEqualTypeOf<[changes: Partial<Assumptions>]>()
  expectTypeOf<Parameters<MockLedger['assume']>>().toEqualTypeOf<[changes: Partial<Assumptions>]>()
  expectTypeOf<{ pageUnit: 'group'; maxPage: null }>().toExtend<Partial<Assumptions>>()
  expectTypeOf<{ pageUnit: 'user' }>().not.toExtend<Partial<Assumptions>>()
})

it('returns faults as they were scripted', () => {
  type Scripted = MockLedger['guild']['faults'][number]

  expectTypeOf<Scripted['fault']>().toEqualTypeOf<Fault>()
  expectTypeOf<Scripted['left']>().toEqualTypeOf<number | null>()
})
