import { createMockLedger } from '@guild-ledger/mock-server'
import { createClock } from '@guild-ledger/mock-server/admin'
import { paths } from '@guild-ledger/sdk/contract'
import { bodyFor } from '../../src/admin/body.ts'
import { createSnapshotStore } from '../../src/admin/snapshots.ts'
import type { Verb } from '../../src/admin/verb.ts'

/** The body of a verb's example, as it is sent. */
const sent = ({ takes }: Verb): string => {
  if (!takes) return ''
  return 'text' in takes ? String(takes.example) : JSON.stringify(takes.example)
}

// The value of a key depends on how many mocks a process has made.
const withoutValues = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (name, value: unknown) => (['value', 'apiKey'].includes(name) ? 'mock_…' : value))

/**
 * What a verb says in a small seeded world: one row, one request, one failure. Verbs that need what is not there say
 * nothing, nor do those whose reply would be long.
 */
export const exampleReply = (verb: Verb): unknown => {
  if (!verb.replies || /^describe|Assumptions$/.test(verb.id)) return undefined
  const clock = createClock(() => Date.parse('2026-03-01T00:00:00Z'))
  const mock = createMockLedger({ transactions: 1, users: 1, now: clock.now, apiKey: 'mock_key' })
  mock.answer({ method: 'GET', target: `${paths.guild}?from=shop`, apiKey: 'mock_key' })
  mock.guild.fail({ kind: 'internal-error', endpoint: 'guild', times: 1 })
  const call = { mock, clock, snapshots: createSnapshotStore(), ids: ['guild-1'], ...bodyFor(verb, sent(verb)) }
  return withoutValues(verb.run(call))
}
