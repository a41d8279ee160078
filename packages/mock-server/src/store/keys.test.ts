import { expect, it } from 'vitest'
import { createKeys, type KeyDetails } from './index.ts'

const now = Date.UTC(2026, 0, 1)
const details: KeyDetails = { name: 'bot', scopes: ['guild:read'], expiresAt: '2026-01-02T00:00:00Z' }

const values = (seed: number) => {
  const keys = createKeys(String(seed))
  return [keys.create('guild-1', details, now).value, keys.create('guild-2', details, now).value]
}

it('returns the value of a key only when the key is created', () => {
  const keys = createKeys('1')

  const { value, ...rest } = keys.create('guild-1', details, now)

  expect(value).toMatch(/^mock_[\da-f]{40}$/)
  expect(keys.of('guild-1')).toEqual([rest])
  expect(rest).toEqual({
    id: 'key-1',
    name: 'bot',
    guildId: 'guild-1',
    scopes: ['guild:read'],
    expiresAt: '2026-01-02T00:00:00.000Z',
  })
  expect(keys.find(value)).toEqual(rest)
})

it('makes the same values from the same seed, and no value twice', () => {
  expect(values(1)).toEqual(values(1))
  expect(new Set([...values(1), ...values(2)]).size).toBe(4)
})

it('does not find a deleted key', () => {
  const keys = createKeys('1')
  const { id, value } = keys.create('guild-1', details, now)

  keys.delete(id, 'guild-1')

  expect(keys.find(value)).toBeUndefined()
  expect(() => keys.delete(id, 'guild-1')).toThrow('guild-1 has no key "key-1".')
})

it('deletes a key only for the guild it is bound to', () => {
  const keys = createKeys('1')
  const bound = keys.create('guild-1', details, now)
  const unbound = keys.create(null, details, now)

  expect(() => keys.delete(bound.id, null)).toThrow('No key without a guild has the id "key-1".')
  expect(() => keys.delete(unbound.id, 'guild-1')).toThrow('guild-1 has no key "key-2".')
  keys.delete(unbound.id, null)
  expect([keys.of(null), keys.of('guild-1').map(({ id }) => id)]).toEqual([[], ['key-1']])
})

it.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: ' ' }, '`name` must be a string that is not blank'],
  ['no expiry', { expiresAt: undefined }, '`expiresAt` must be a date'],
  ['no expiry but null', { expiresAt: null }, '`expiresAt` must be a date'],
  ['an expiry that is a number', { expiresAt: 5e12 }, '`expiresAt` must be a date'],
  ['an expiry that is an object', { expiresAt: { toString: 1 } }, '`expiresAt` must be a date'],
  ['an expiry that is no date', { expiresAt: 'soon' }, 'got "soon"'],
  ['an expiry in the past', { expiresAt: '2025-12-31T00:00:00Z' }, 'later than now (2026-01-01T00:00:00.000Z)'],
  ['an expiry right now', { expiresAt: new Date(now) }, 'later than now'],
  ['scopes that are no array', { scopes: 'guild:read' }, "`scopes` must be an array such as ['guild:read']"],
  ['an unknown scope', { scopes: ['guild:write'] }, 'Unknown scope "guild:write". Known scopes: `guild:read`.'],
])('rejects a key with %s', (_what, change, message) => {
  const keys = createKeys('1')

  expect(() => keys.create('guild-1', { ...details, ...change }, now)).toThrow(message)
  expect(keys.of('guild-1')).toEqual([])
})

it.each([['taken'], ['two words'], ['schlüssel'], [''], [null as unknown as string]])(
  'rejects %j as the value of a key',
  (value) => {
    const keys = createKeys('1')
    keys.create('guild-1', details, now, 'taken')

    expect(() => keys.create('guild-2', details, now, value)).toThrow(/exists|printable ASCII/)
  },
)
