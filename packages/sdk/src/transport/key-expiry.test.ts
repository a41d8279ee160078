import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fixedKey } from './fixed-key.ts'
import { createExpiryWarning } from './key-expiry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('warns at the very moment 14, 3 and 1 days before the key expires and when it does, once each', () => {
  const log = vi.fn()
  const expiresAt = '2026-01-31T12:00:00.000Z'
  const warn = createExpiryWarning({ keyExpiresAt: Date.parse(expiresAt), keys: fixedKey('key'), log })

  for (const time of ['2026-01-17', '2026-01-28', '2026-01-30', '2026-01-31']) {
    vi.setSystemTime(`${time}T11:59:59.999Z`)
    warn()
    vi.setSystemTime(`${time}T12:00:00.000Z`)
    warn()
    warn()
  }

  const line = (when: string) => ['warn', `The API key ${when} (${expiresAt}): create a new one in the dashboard.`]
  expect(log.mock.calls).toEqual([
    line('expires in 14 days'),
    line('expires in 3 days'),
    line('expires in 1 day'),
    line('has expired'),
  ])
})
