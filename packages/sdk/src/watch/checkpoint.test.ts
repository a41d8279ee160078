import { expect, it } from 'vitest'
import { checkedCheckpoint } from './checkpoint.ts'

const watched = 'https://ledger.example/guild/ledger/transactions'
const checkpoint = {
  version: 1,
  watched,
  from: '2026-01-31T10:00:00.000Z',
  seen: ['3:ann:a'],
  until: '2026-01-31T10:00:07.000Z',
}

it.each([
  ['of an earlier release, with a field of its own', checkpoint],
  ['of the beginning, where nothing was seen', { version: 1, watched, from: null, seen: [] }],
])('accepts a checkpoint %s', (_, given) => {
  expect(checkedCheckpoint(given, watched)).toBe(given)
})

it.each<[string, object, string]>([
  ['that is something else', { version: undefined }, '`version` must be 1, got undefined'],
  ['of no version', { version: '2' }, '`version` must be 1, got "2"'],
  ['of version 0', { version: 0 }, '`version` must be 1, got 0'],
  [
    'that does not say what is watched',
    { watched: undefined },
    '`watched` must be the address and filters of a watch, got undefined',
  ],
  ['from a Date', { from: new Date(0) }, '`from` must be an ISO 8601 date-time, got the date 1970-01-01T00:00:00.000Z'],
  ['from a day', { from: '2026-01-31' }, '`from` must be an ISO 8601 date-time, got "2026-01-31"'],
  ['from undefined', { from: undefined }, '`from` must be an ISO 8601 date-time, got undefined'],
  ['that has seen a number', { seen: [1] }, '`seen[0]` must be a transactionId, got 1'],
  ['without what was seen', { seen: null }, '`seen` must be an array of transactionIds, got null'],
])('rejects a checkpoint %s', (_, change, message) => {
  expect(() => checkedCheckpoint({ ...checkpoint, ...change }, watched)).toThrow(
    expect.objectContaining({ option: 'since', message: `\`since\` is not a checkpoint of a watch: ${message}` }),
  )
})
