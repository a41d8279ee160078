import type { AnyGuildLedgerError, ErrorCode } from '@guild-ledger/sdk'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { expectTypeOf, it } from 'vitest'

declare const thrown: unknown

it('has an error for every code, and a code for every error', () => {
  expectTypeOf<AnyGuildLedgerError['code']>().toEqualTypeOf<ErrorCode>()
})

it('narrows by code to the fields of the class', () => {
  if (!GuildLedgerError.is(thrown)) return
  switch (thrown.code) {
    case 'rate_limited':
      expectTypeOf(thrown.retryAfterMs).toEqualTypeOf<number | undefined>()
      break
    case 'timeout':
      expectTypeOf(thrown.phase).toEqualTypeOf<'queue' | 'attempt' | 'call'>()
      break
    case 'redirect_refused':
      expectTypeOf(thrown.location).toEqualTypeOf<string | undefined>()
      break
    case 'connection':
      expectTypeOf(thrown.endpoint).toEqualTypeOf<string>()
      expectTypeOf(thrown).not.toHaveProperty('phase')
      break
    case 'invalid_parameter':
      expectTypeOf(thrown.issues).not.toBeAny()
      expectTypeOf(thrown).not.toHaveProperty('attempts')
      break
    case 'configuration':
      expectTypeOf(thrown.option).toEqualTypeOf<string>()
      break
    case 'pagination_stalled':
    case 'no_results':
      expectTypeOf(thrown.url).toEqualTypeOf<string>()
      expectTypeOf(thrown.page).toEqualTypeOf<number>()
      break
    case 'paginator_consumed':
      expectTypeOf(thrown.url).toEqualTypeOf<string | undefined>()
      break
    default:
      expectTypeOf(thrown.retryable).toEqualTypeOf<boolean>()
  }
})
