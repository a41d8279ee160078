import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import { list } from './raw-http.ts'

/** A mock at a stopped clock, and what it says of how a reply came about. */
const world = () => {
  let now = 0
  const mock = createMockLedger({ transactions: 5, rateLimit: 1, now: () => now })
  const ask = (target = list, apiKey: string | null = mock.apiKey, method = 'GET') =>
    mock.answer({ method, target, apiKey })
  return { mock, ask, advance: (ms: number) => (now += ms) }
}
const bot = { name: 'bot', scopes: ['guild:read'], expiresAt: '1970-01-02T00:00:00Z' } as const

describe('a reply says what refused the request', () => {
  it.each<[string, ReturnType<MockLedger['answer']>['refusedBy'], (given: ReturnType<typeof world>) => unknown]>([
    ['nothing', undefined, ({ ask }) => ask()],
    ['its path', 'path', ({ ask }) => ask('/guild')],
    ['its method', 'method', ({ ask, mock }) => ask(list, mock.apiKey, 'PUT')],
    ['its encoding', 'encoding', ({ ask }) => ask(`${list}?from=%`)],
    ['no key', 'key', ({ ask }) => ask(list, null)],
    [
      'a key that has expired',
      'key',
      ({ ask, mock, advance }) => {
        const { value } = mock.guild.createKey(bot)
        advance(86_400_000)
        return ask(list, value)
      },
    ],
    [
      'no subscription',
      'subscription',
      ({ ask, mock }) => {
        mock.guild.subscription = 'none'
        return ask()
      },
    ],
    ['a key without scope', 'scope', ({ ask, mock }) => ask(list, mock.guild.createKey({ ...bot, scopes: [] }).value)],
    ['a key without a guild', 'guild', ({ ask, mock }) => ask(list, mock.createUnboundKey(bot).value)],
    ['the rate limit', 'rate limit', ({ ask }) => [ask(), ask()][1]],
    ['a parameter', 'parameters', ({ ask }) => ask(`${list}?page=0`)],
    ['nothing found', 'data', ({ ask }) => ask(`${list}?from=nowhere`)],
  ])('%s: %s', (_what, refusedBy, act) => {
    expect((act(world()) as { refusedBy?: string }).refusedBy).toBe(refusedBy)
  })

  it('but not where a failure took the place of the refusal', () => {
    const { mock, ask } = world()
    mock.guild.fail({ kind: 'internal-error' })
    mock.guild.fail({ kind: 'latency', ms: 1 })

    const { status, refusedBy, faults } = ask(`${list}?page=0`)

    expect({ status, refusedBy, faults }).toEqual({
      status: 500,
      refusedBy: undefined,
      faults: ['internal-error', 'latency'],
    })
  })
})

it('a reply knows the key by its name, and an unknown key not at all', () => {
  const { mock, ask } = world()

  expect(ask(list, mock.guild.createKey(bot).value).keyName).toBe('bot')
  expect(ask(list, 'unknown')).not.toHaveProperty('keyName')
})
