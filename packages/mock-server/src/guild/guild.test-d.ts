import { expectTypeOf, it } from 'vitest'
import type { Assumptions, Fault, MockLedger } from '../index.ts'

it('takes some of the readings, and no others', () => {
  expectTypeOf<Parameters<MockLedger['guild']['assume']>>().toEqualTypeOf<[changes: Partial<Assumptions>]>()
  expectTypeOf<Parameters<MockLedger['assume']>>().toEqualTypeOf<[changes: Partial<Assumptions>]>()
  expectTypeOf<{ pageUnit: 'group'; maxPage: null }>().toExtend<Partial<Assumptions>>()
  expectTypeOf<{ pageUnit: 'user' }>().not.toExtend<Partial<Assumptions>>()
})

it('tells failures as they were scripted', () => {
  type Told = MockLedger['guild']['faults'][number]

  expectTypeOf<Told['fault']>().toEqualTypeOf<Fault>()
  expectTypeOf<Told['left']>().toEqualTypeOf<number | null>()
})
