import { readFileSync } from 'node:fs'
import { createMockLedger } from '@guild-ledger/mock-server'

interface Step {
  get?: string
  createKey?: true
  /** Milliseconds after the start. */
  at?: number
  key?: 'first' | 'second' | 'expired' | 'unscoped'
  address?: string
}

/** Steps to take, and what the last of them must not bring. */
export interface Probe {
  data?: 'main' | 'user' | 'sources'
  assumptions?: object
  subscription?: 'none'
  rateLimit?: number
  steps: Step[]
  pick: string
  forbid: unknown
}

/** Tests that depend on known assumptions, as data: suites in several languages go by it. */
export interface Planted {
  transactions: Record<'main' | 'user' | 'sources', []>
  singles: (Probe & { value: string })[]
  robust: (Probe & { name: string })[]
  pairs: { values: string[]; all: Probe[] }[]
}

export const planted = JSON.parse(readFileSync(new URL('planted.json', import.meta.url), 'utf8')) as Planted

const limitHeaders = ['retry-after', 'x-ratelimit-limit', 'ratelimit']

/** What stands at a path such as `body.data.*.name`; `*` is each item of an array. */
const picked = (value: unknown, [name, ...rest]: string[]): unknown => {
  if (name === undefined) return value
  if (name === '*') return Array.isArray(value) ? value.map((item) => picked(item, rest)) : null
  return picked((value as Record<string, unknown> | null | undefined)?.[name], rest)
}

/** What the last step brings. */
export const observed = ({ data = 'main', assumptions, subscription, rateLimit, steps, pick }: Probe): unknown => {
  const start = Date.parse('2026-06-01T00:00:00Z')
  let now = start
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: rateLimit ?? 'off',
    now: () => now,
    ...(assumptions && { assumptions }),
  })
  mock.guild.add(planted.transactions[data])
  const keyOf = (key: Step['key'] = 'first') => {
    if (key === 'first') return mock.apiKey
    const scopes = key === 'unscoped' ? [] : (['guild:read'] as const)
    const expiresAt = new Date(start + (key === 'expired' ? 1000 : 1e9)).toISOString()
    return mock.guild.createKey({ name: key, scopes, expiresAt }).value
  }
  const keys = new Map(steps.map(({ key }) => [key, keyOf(key)]))
  if (subscription) mock.guild.subscription = subscription
  let last: unknown
  for (const { get, createKey, at = 0, key, address } of steps) {
    now = start + at
    if (createKey) {
      try {
        keyOf('second')
        last = { created: true }
      } catch {
        last = { created: false }
      }
    }
    if (get === undefined) continue
    const response = mock.respond({ method: 'GET', target: get, apiKey: keys.get(key) ?? null, address })
    const names = limitHeaders.filter((name) => name in response.headers)
    last = { status: response.status, body: JSON.parse(response.body), limitHeaders: names }
  }
  return picked(last, pick.split('.'))
}

/** Whether the forbidden happened. */
export const happens = (probe: Probe): boolean => JSON.stringify(observed(probe)) === JSON.stringify(probe.forbid)
