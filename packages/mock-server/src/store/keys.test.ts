import { describe, expect, it } from 'vitest'
import { createKeys, type KeyDetails } from './index.ts'

const now = Date.UTC(2026, 0, 1)
const details: KeyDetails = { name: 'bot', scopes: ['guild:read'], expiresAt: '2026-01-02T00:00:00Z' }

const values = (seed: number) => {
  const keys = createKeys(String(seed))
  return [keys.create('guild-1', details, now).value, keys.create('guild-2', details, now).value]
}

describe('createKeys', () => {
  it('shows the value of a key once', () => {
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

  it('makes the same values for the same seed, and no value twice', () => {
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

  it('deletes a key only for whom it is bound to', () => {
    const keys = createKeys('1')
    const bound = keys.create('guild-1', details, now)
    const unbound = keys.create(null, details, now)

    expect(() => keys.delete(bound.id, null)).toThrow('No key without a guild is "key-1".')
    expect(() => keys.delete(unbound.id, 'guild-1')).toThrow('guild-1 has no key "key-2".')
    keys.delete(unbound.id, null)
    expect([keys.of(null), keys.of('guild-1').map(({ id }) => id)]).toEqual([[], ['key-1']])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: ' ' }, 'name must be the name of the key'],
    ['no expiry', { expiresAt: undefined }, 'expiresAt is mandatory'],
    ['no expiry but null', { expiresAt: null }, 'expiresAt is mandatory'],
    ['an expiry that is a number', { expiresAt: 5e12 }, 'expiresAt is mandatory'],
    ['an expiry that is an object', { expiresAt: { toString: 1 } }, 'expiresAt is mandatory'],
    ['an expiry that is no date', { expiresAt: 'soon' }, 'not "soon"'],
    ['an expiry in the past', { expiresAt: '2025-12-31T00:00:00Z' }, 'later than now (2026-01-01T00:00:00.000Z)'],
    ['an expiry right now', { expiresAt: new Date(now) }, 'later than now'],
    ['scopes that are no list', { scopes: 'guild:read' }, "scopes must be a list such as ['guild:read']"],
    ['an unknown scope', { scopes: ['guild:write'] }, 'Unknown scope "guild:write"'],
  ])('refuses %s', (_what, change, message) => {
    const keys = createKeys('1')

    expect(() => keys.create('guild-1', { ...details, ...change }, now)).toThrow(message)
    expect(keys.of('guild-1')).toEqual([])
  })

  it.each([['taken'], ['two words'], ['schlüssel'], [''], [null as unknown as string]])(
    'refuses the value %j',
    (value) => {
      const keys = createKeys('1')
      keys.create('guild-1', details, now, 'taken')

      expect(() => keys.create('guild-2', details, now, value)).toThrow(/exists|printable ASCII/)
    },
  )
})
