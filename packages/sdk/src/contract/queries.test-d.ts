import { expectTypeOf, it } from 'vitest'
import type { GuildQuery, UserQuery } from './index.ts'

it('allows sorting by name on list-all only', () => {
  expectTypeOf<{ sortBy: 'name' }>().toExtend<GuildQuery>()
  expectTypeOf<{ sortBy: 'name' }>().not.toExtend<UserQuery>()
})

it('allows dates, as Date or string, on list-all only', () => {
  expectTypeOf<GuildQuery['startDate']>().toEqualTypeOf<Date | string | undefined>()
  expectTypeOf<UserQuery>().not.toHaveProperty('startDate')
  expectTypeOf<UserQuery>().not.toHaveProperty('endDate')
})
