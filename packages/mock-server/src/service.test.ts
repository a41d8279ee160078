import { expect, it } from 'vitest'
import { assume, createReadings } from './assumptions/index.ts'
import { createFaults } from './faults/index.ts'
import { createRateLimiter } from './rate-limit/index.ts'
import { createRequestLog } from './request-log/index.ts'
import { createService } from './service.ts'
import { createArrivals, createKeys, createRows, type GuildState } from './store/index.ts'

it.each([
  ['guild', 'Failed to fetch guild transactions'],
  ['user', 'Failed to fetch user transactions'],
] as const)('answers a bug of its own as the documented internal failure: %s', (endpoint, message) => {
  const keys = createKeys('1')
  const { value: apiKey } = keys.create('g', { name: 'k', scopes: ['guild:read'], expiresAt: '2999-01-01' }, 0)
  const broken = {
    ...createRows(),
    select: () => {
      throw new Error('the inside of the mock')
    },
  }
  const guild: GuildState = {
    id: 'g',
    subscription: 'developer',
    readings: createReadings(),
    assumptions: assume(),
    rows: broken,
    faults: createFaults(1),
    arrivals: createArrivals(broken),
    limiter: createRateLimiter('off', assume),
    log: createRequestLog(),
  }
  const service = createService({
    keys,
    guilds: new Map([['g', guild]]),
    now: () => 0,
    readings: createReadings(),
    log: createRequestLog(),
    explain: false,
  })

  const answer = service.ask({ method: 'GET', endpoint, platformId: '1', apiKey, search: '' })

  expect(answer).toMatchObject({ status: 500, body: { success: false, message } })
})
