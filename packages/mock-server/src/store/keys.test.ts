import { expect, it } from 'vitest'
import { createKeys, type KeyDetails } from './keys.ts'

const details: KeyDetails = { name: 'bot', scopes: ['guild:read'], expiresAt: '2026-01-02T00:00:00Z' }

const values = (seed: number) => {
  const keys = createKeys(String(seed))
  return [keys.create('guild-1', details).value, keys.create('guild-2', details).value]
}

it('the key store returns the value of a key only when the key is created', () => {
  const keys = createKeys('1')

  const { value, ...rest } = keys.create('guild-1', details)

  expect(value).toBe('mock_1_key-1')
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

it('the key store makes the same values from the same seed, and no value twice', () => {
  expect(values(1)).toEqual(values(1))
  expect(new Set([...values(1), ...values(2)]).size).toBe(4)
})

it.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: ' ' }, '`name` must be a string that is not blank'],
  ['no expiry', { expiresAt: undefined }, '`expiresAt` must be a date'],
  ['no expiry but null', { expiresAt: null }, '`expiresAt` must be a date'],
  ['an expiry that is a number', { expiresAt: 5e12 }, '`expiresAt` must be a date'],
  ['an expiry that is an object', { expiresAt: { toString: 1 } }, '`expiresAt` must be a date'],
  ['an expiry that is no date', { expiresAt: 'soon' }, 'got "soon"'],
  ['an unknown field', { expires: '2030-01-01' }, 'Unknown field `expires`. Did you mean `expiresAt`?'],
  ['scopes that are no array', { scopes: 'guild:read' }, "`scopes` must be an array such as ['guild:read']"],
  ['an unknown scope', { scopes: ['guild:write'] }, 'Unknown scope "guild:write". Known scopes: `guild:read`.'],
])('the key store rejects a key with %s', (_what, change, message) => {
  const keys = createKeys('1')

  expect(() => keys.create('guild-1', { ...details, ...change })).toThrow(message)
  expect(keys.of('guild-1')).toEqual([])
})

it.each(['taken', 'two words', 'schlüssel', '', 5 as never])('rejects %j as the value of a key', (value) => {
  const keys = createKeys('1')
  keys.create('guild-1', { ...details, value: 'taken' })

  expect(() => keys.create('guild-2', { ...details, value })).toThrow(/exists|printable ASCII/)
})

it('the key store takes an expiry in the past and a given value', () => {
  const keys = createKeys('1')

  const key = keys.create('guild-1', { ...details, expiresAt: '2001-01-01', value: 'my-key' })

  expect(key).toMatchObject({ expiresAt: '2001-01-01T00:00:00.000Z', value: 'my-key' })
  expect(keys.find('my-key')?.id).toBe(key.id)
})

it('the key store knows every key that was created, deleted or not', () => {
  const keys = createKeys('1')
  keys.create('guild-1', details)
  keys.create('guild-2', details)
  keys.create(null, details)
  keys.restoreGuild('guild-1', new Map())

  expect([keys.issued(), keys.issued('guild-1')]).toEqual([['key-1', 'key-2', 'key-3'], ['key-1']])
  expect(['key-1', 'key-3', 'key-4'].map((id) => keys.guildOf(id))).toEqual(['guild-1', null, undefined])
  expect(keys.create('guild-1', details).id).toBe('key-4')
})

it('the key store takes a value from the guild that got it in the meantime when the keys of a guild are restored', () => {
  const keys = createKeys('1')
  const withValue = { ...details, value: 'moved' }
  const first = keys.create('guild-1', withValue)
  const state = keys.guildState('guild-1')
  keys.delete(first.id, 'guild-1')
  keys.create('guild-2', withValue)
  const other = keys.create('guild-2', details)

  keys.restoreGuild('guild-1', state)

  const listed = () => [keys.of('guild-1'), keys.of('guild-2')].map((all) => all.map(({ id }) => id))
  expect(listed()).toEqual([['key-1'], ['key-3']])
  expect(keys.find('moved')?.id).toBe('key-1')
  expect(() => keys.delete('key-2', 'guild-2')).toThrow(TypeError)
  keys.delete(other.id, 'guild-2')
  expect(listed()).toEqual([['key-1'], []])
  expect(keys.find('moved')?.id).toBe('key-1')
})
