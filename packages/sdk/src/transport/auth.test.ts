import { expect, it, vi } from 'vitest'
import { createApiKeys } from './api-keys.ts'
import { createAuthentication } from './auth.ts'

it('redacts the last 8 keys that a function returned, and keeps no others', async () => {
  vi.useFakeTimers()
  let count = 0
  const keys = createApiKeys(
    () => `glk-minted-${Math.min(++count, 15)}-0123456789abcdef`,
    () => {},
  )
  const settings = { keys, userAgent: {}, baseUrl: 'https://ledger.example/v1', maxResponseBytes: 1000 }
  const auth = createAuthentication({ ...settings, fetch: async () => new Response('{}') })
  const call = { label: 'GET /x', signal: undefined, attemptTimeoutMs: 1000 }
  await keys.ready(call)
  for (let i = 1; i < 20; i++) {
    await keys.renew(keys.current(), call, () => new Error('401') as never)
    expect(auth.redact(`<${keys.current()}>`)).toBe('<[api key]>')
    vi.advanceTimersByTime(10_000)
  }
  vi.useRealTimers()

  expect(keys.seen()).toHaveLength(8)
  expect(auth.redact('<glk-minted-8-0123456789abcdef>')).toBe('<[api key]>')
  expect(auth.redact('<glk-minted-1-0123456789abcdef>')).toBe('<glk-minted-1-0123456789abcdef>')
})
