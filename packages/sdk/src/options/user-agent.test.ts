import { afterEach, expect, it, vi } from 'vitest'
import { userAgentHeader } from './user-agent.ts'

afterEach(() => void vi.unstubAllGlobals())

it.each([
  ['Node', { process: { versions: { node: '24.1.0' } } }, 'node/24.1.0'],
  ['Bun', { process: { versions: { node: '24.0.0', bun: '1.4.5' } } }, 'bun/1.4.5'],
  ['Deno', { process: { versions: { node: '24.0.0', deno: '2.9.6' } } }, 'deno/2.9.6'],
  ['Workers', { process: undefined, navigator: { userAgent: 'Cloudflare-Workers' } }, 'Cloudflare-Workers'],
])('names SDK, runtime and program on %s', (_, globals, runtime) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)

  expect(userAgentHeader({ name: 'shop-bot', version: '1.2' })).toEqual({
    'user-agent': `guild-ledger-sdk/0.0.0 ${runtime} shop-bot/1.2`,
  })
  expect(userAgentHeader({ name: 'shop-bot' })['user-agent']).toMatch(/ shop-bot$/)
  expect(userAgentHeader(undefined)).toEqual({ 'user-agent': `guild-ledger-sdk/0.0.0 ${runtime}` })
})

it('leaves the header to a browser', () => {
  vi.stubGlobal('process', undefined)
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })

  expect(userAgentHeader({ name: 'shop-bot' })).toEqual({})
})

it.each([
  [{ name: 'a\r\nx-api-key: b' }, '`appInfo.name` must be a string of letters'],
  [{}, '`appInfo.name` must be a string of letters'],
  [{ name: 'bot', versoin: '1' }, 'Unknown option `appInfo.versoin`. Did you mean `appInfo.version`?'],
])('rejects the appInfo %j', (appInfo, message) => {
  expect(() => userAgentHeader(appInfo as never)).toThrow(message)
})
