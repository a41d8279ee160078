import { expectTypeOf, it } from 'vitest'
import type { Assumptions } from './values.ts'

it('types each assumption by its values', () => {
  expectTypeOf<Assumptions['pageUnit']>().toEqualTypeOf<'transaction' | 'group'>()
  expectTypeOf<Assumptions['lapsedSubscriptionStatus']>().toEqualTypeOf<401 | 402 | 403>()
  expectTypeOf<Assumptions['rateLimitedRequestsCount']>().toEqualTypeOf<boolean>()
  expectTypeOf<Assumptions['maxPage']>().toEqualTypeOf<number | null>()
  expectTypeOf<Assumptions['userLimit']>().toEqualTypeOf<number>()
})
