import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod/mini'
import type * as queries from './queries.ts'
import type * as responses from './responses.ts'
import type * as transactions from './transaction.ts'

type Contract = typeof queries & typeof responses & typeof transactions

type Inferred<Schema extends keyof Contract> = Contract[Schema] extends z.ZodMiniType
  ? z.infer<Contract[Schema]>
  : never

it('has the types that its schemas accept', () => {
  expectTypeOf<queries.GuildQuery>().toEqualTypeOf<Inferred<'guildQuery'>>()
  expectTypeOf<queries.UserQuery>().toEqualTypeOf<Inferred<'userQuery'>>()
  expectTypeOf<transactions.Transaction>().toEqualTypeOf<Inferred<'transaction'>>()
  expectTypeOf<responses.Pagination>().toEqualTypeOf<Inferred<'pagination'>>()
  expectTypeOf<responses.Summary>().toEqualTypeOf<Inferred<'summary'>>()
  expectTypeOf<responses.UserGroup>().toEqualTypeOf<Inferred<'userGroup'>>()
  expectTypeOf<responses.GuildResponse>().toEqualTypeOf<Inferred<'guildResponse'>>()
  expectTypeOf<responses.UserResponse>().toEqualTypeOf<Inferred<'userResponse'>>()
  expectTypeOf<responses.ErrorBody>().toEqualTypeOf<Inferred<'errorBody'>>()
})
