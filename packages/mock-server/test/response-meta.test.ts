import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import { list } from './raw-http.ts'

/** A mock with a clock of its own. */
const setup = () => {
  let now = 0
  const mock = createMockLedger({ transactions: 5, rateLimit: 1, now: () => now })
  const send = (target = list, apiKey: string | null = mock.apiKey, method = 'GET') =>
    mock.respond({ method, target, apiKey })
  return { mock, send, advance: (ms: number) => (now += ms) }
}
const bot = { name: 'bot', scopes: ['guild:read'], expiresAt: '1970-01-02T00:00:00Z' } as const

describe('rejectedBy', () => {
  type Given = ReturnType<typeof setup>
  const behindTheLast = ({ guild }: MockLedger) =>
    `/guild/ledger/${guild.transactions[0]?.platformId}/transactions?page=9`
  const withExpiredKey = ({ send, mock, advance }: Given) => {
    const { value } = mock.guild.createKey(bot)
    advance(86_400_000)
    return send(list, value)
  }
  const unsubscribed = ({ send, mock }: Given) => {
    mock.guild.subscription = 'none'
    return send()
  }

  it.each<[string, ReturnType<MockLedger['respond']>['rejectedBy'], (given: Given) => ReturnType<Given['send']>]>([
    ['nothing', undefined, ({ send }) => send()],
    ['nothing, behind the last page of a user', undefined, ({ send, mock }) => send(behindTheLast(mock))],
    ['its path', 'path', ({ send }) => send('/guild')],
    ['its method', 'method', ({ send, mock }) => send(list, mock.apiKey, 'PUT')],
    ['its encoding', 'encoding', ({ send }) => send(`${list}?from=%`)],
    ['no key', 'key', ({ send }) => send(list, null)],
    ['a key that has expired', 'key', withExpiredKey],
    ['no subscription', 'subscription', unsubscribed],
    [
      'a key without scope',
      'scope',
      ({ send, mock }) => send(list, mock.guild.createKey({ ...bot, scopes: [] }).value),
    ],
    ['a key without a guild', 'guild', ({ send, mock }) => send(list, mock.createUnboundKey(bot).value)],
    ['the rate limit', 'rate limit', ({ send }) => [send(), send()].at(1) ?? send()],
    ['a parameter', 'parameters', ({ send }) => send(`${list}?page=0`)],
    ['nothing found', 'data', ({ send }) => send(`${list}?from=nowhere`)],
  ])('names what rejected a request: %s, %s', (_case, rejectedBy, act) => {
    expect(act(setup()).rejectedBy).toBe(rejectedBy)
  })

  it('is missing where a fault replaced the error response', () => {
    const { mock, send } = setup()
    mock.guild.fault({ kind: 'internal-error' })
    mock.guild.fault({ kind: 'latency', ms: 1 })

    const { status, rejectedBy, faults } = send(`${list}?page=0`)

    expect({ status, rejectedBy, faults }).toEqual({
      status: 500,
      rejectedBy: undefined,
      faults: ['internal-error', 'latency'],
    })
  })
})

describe('keyName', () => {
  it.each([
    ['a page', 'GET', list],
    ['a method that is not allowed', 'PUT', list],
    ['a path that does not exist', 'GET', '/guild'],
  ])('names the key, for those who watch, of a request for %s', (_what, method, target) => {
    const { mock, send } = setup()

    expect(send(target, mock.apiKey, method)).toHaveProperty('keyName', 'first key of guild-1')
    expect(send(target, 'unknown', method)).not.toHaveProperty('keyName')
  })
})
