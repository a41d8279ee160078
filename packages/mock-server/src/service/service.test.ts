import { expect, it } from 'vitest'
import { assume, createEffectiveAssumptions } from '../assumptions/index.ts'
import { createFaults } from '../faults/index.ts'
import { createRateLimiter } from '../rate-limit/index.ts'
import { createRequestLog } from '../request-log/index.ts'
import { createKeys, createScheduledInserts, createTransactionStore } from '../store/index.ts'
import { createResponseCache } from './cache.ts'
import type { GuildState } from './guild-state.ts'
import { createService } from './service.ts'

it.each([
  ['guild', 'Failed to fetch guild transactions'],
  ['user', 'Failed to fetch user transactions'],
] as const)('responds to a mistake of its own with the documented internal failure: %s', (endpoint, message) => {
  const keys = createKeys('1')
  const { value: apiKey } = keys.create('g', { name: 'k', scopes: ['guild:read'], expiresAt: '2999-01-01' }, 0)
  const broken = {
    ...createTransactionStore(),
    select: () => {
      throw new Error('the inside of the mock')
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
    limiter: createRateLimiter('off', assume),
    log: createRequestLog(),
  }
  const service = createService({
    keys,
    guilds: new Map([['g', guild]]),
    now: () => 0,
    effective: createEffectiveAssumptions(),
    log: createRequestLog(),
    explain: false,
  })

  const result = service.handle({ method: 'GET', endpoint, platformId: '1', apiKey, search: '', query: {} })

  expect(result).toMatchObject({ status: 500, body: JSON.stringify({ success: false, message }) })
})
