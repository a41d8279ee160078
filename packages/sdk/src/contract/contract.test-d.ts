import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod/mini'
import type * as contract from './index.ts'

type Inferred<Schema extends keyof typeof contract> = (typeof contract)[Schema] extends z.core.$ZodType
  ? z.infer<(typeof contract)[Schema]>
  : never

it('has the types that its schemas accept', () => {
  expectTypeOf<contract.GuildQuery>().toEqualTypeOf<Inferred<'guildQuery'>>()
  expectTypeOf<contract.UserQuery>().toEqualTypeOf<Inferred<'userQuery'>>()
  expectTypeOf<contract.Transaction>().toEqualTypeOf<Inferred<'transaction'>>()
  expectTypeOf<contract.Pagination>().toEqualTypeOf<Inferred<'pagination'>>()
  expectTypeOf<contract.Summary>().toEqualTypeOf<Inferred<'summary'>>()
  expectTypeOf<contract.UserGroup>().toEqualTypeOf<Inferred<'userGroup'>>()
  expectTypeOf<contract.GuildResponse>().toEqualTypeOf<Inferred<'guildResponse'>>()
  expectTypeOf<contract.UserResponse>().toEqualTypeOf<Inferred<'userResponse'>>()
  expectTypeOf<contract.ErrorBody>().toEqualTypeOf<Inferred<'errorBody'>>()
})
