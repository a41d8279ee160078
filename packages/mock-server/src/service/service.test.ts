import { failureOf } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { assume, createEffectiveAssumptions } from '../assumptions/index.ts'
import { createFaults } from '../faults/index.ts'
import { createAddressUsages, createRateLimiter } from '../rate-limit/index.ts'
import { createRequestLog } from '../request-log/index.ts'
import { createKeys, createScheduledInserts, createTransactionStore } from '../store/index.ts'
import { createResponseCache } from './cache.ts'
import type { GuildState } from './guild-state.ts'
import { createService } from './service.ts'
import { createStubs } from './stubs.ts'
import { createTrace } from './trace.ts'
import { traceRateLimiter } from './traced-rate-limiter.ts'

it('an internal failure rejects with its cause and is logged, and is no response of the service', async () => {
  const keys = createKeys('1')
  const { value: apiKey } = keys.create('g', { name: 'k', scopes: ['guild:read'], expiresAt: '2999-01-01' })
  const cause = new RangeError('the inside of the mock')
  const broken = {
    ...createTransactionStore(),
    select: () => {
      throw cause
    },
  }
  const guild: GuildState = {
    id: 'g',
    subscription: 'developer',
    effective: createEffectiveAssumptions(),
    assumptions: assume(),
    transactions: broken,
    cache: createResponseCache(),
    faults: createFaults(1),
    scheduled: createScheduledInserts(broken),
    limiter: traceRateLimiter(createRateLimiter('off', assume), assume, createAddressUsages),
    trace: createTrace(() => ({})),
    log: createRequestLog(),
  }
  const service = createService({
    keys,
    guildAt: () => guild,
    stubs: createStubs(),
    now: () => 0,
    effective: createEffectiveAssumptions(),
    log: createRequestLog(),
    explain: false,
    trace: createTrace(() => ({})),
  })
  const path = '/guild/ledger/transactions'

  const error = await failureOf(async () =>
    service.handle({ method: 'GET', path, endpoint: 'guild', platformId: '', apiKey, search: '', query: {} }),
  )

  const message = 'The mock itself failed, this is no response of the service. RangeError: the inside of the mock'
  expect(error).toMatchObject({ name: 'MockInternalError', message, cause })
  expect(guild.log.requests()).toMatchObject([{ path, status: null, message, rejectedBy: 'internal error' }])
})
