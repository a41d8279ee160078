import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureOf, sendToMock, statusesFrom } from '@guild-ledger/test-kit'
import { createMockLedger } from '../index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How many timers a step without a pause sets or clears. Other files in this process may have timers of their own. */
const timersSetBy = (step: () => unknown): number => {
  const before = vi.getTimerCount()
  step()
  return vi.getTimerCount() - before
}

describe('waitForRequests', () => {
  it('resolves with the requests once there are enough', async () => {
    const { guild, ...mock } = createMockLedger()
    const settled = vi.fn<(requests: unknown) => void>()
    expect(timersSetBy(() => void guild.waitForRequests(2, { endpoint: 'guild' }).then(settled))).toBe(1)

    sendToMock(mock, mock.apiKey, '/guild/ledger/1/transactions')
    statusesFrom(mock, 1)
    await vi.advanceTimersByTimeAsync(100)
    expect(settled).not.toHaveBeenCalled()

    expect(timersSetBy(() => statusesFrom(mock, 1))).toBe(-1)
    await vi.advanceTimersByTimeAsync(0)
    expect(settled).toHaveBeenCalledWith([
      expect.objectContaining({ endpoint: 'guild' }),
      expect.objectContaining({ endpoint: 'guild' }),
    ])
  })

  it('resolves at once where there are enough already, for a guild as for the mock', async () => {
    const mock = createMockLedger()
    statusesFrom(mock, 2)

    expect(await mock.guild.waitForRequests(1)).toHaveLength(2)
    expect(await mock.waitForRequests(2)).toHaveLength(2)
  })

  it('rejects after the time-out where the key of the matcher is gone by then', async () => {
    const mock = createMockLedger()
    const { id } = mock.guild.createKey({ name: 'later', scopes: ['guild:read'], expiresAt: '2999-01-01' })
    const failure = failureOf(mock.guild.waitForRequests(1, { keyId: id }))
    mock.reset()
    await vi.advanceTimersByTimeAsync(4000)

    expect(await failure).toMatchObject({ message: expect.stringContaining(id) })
  })

  it('rejects after the time-out with the requests there were, and a stack that leads to the test', async () => {
    const mock = createMockLedger({ now: () => 0 })
    sendToMock(mock, 'mistyped')
    const settled = vi.fn<() => void>()
    const failure = failureOf(mock.guild.waitForRequests(1, { endpoint: 'guild' }).finally(settled))
    await vi.advanceTimersByTimeAsync(3999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)

    const { stack = '' } = (await failure) as Error
    expect(stack.replace(/\n {4}at [^]*/, '')).toBe(
      'Error: expected at least 1 request to guild, got 0\n1 request of another kind:\n  00:00:00.000Z guild (unknown key) → 401 Unauthorized - invalid API key\nwaited 4000 ms',
    )
    expect(stack).toMatch(/\n {4}at .*wait-for-requests\.test\.ts:\d+:\d+/)
  })

  it('rejects when its signal aborts', async () => {
    const { guild } = createMockLedger()
    const abort = new AbortController()
    const failure = failureOf(guild.waitForRequests(1, {}, { timeoutMs: 10, signal: abort.signal }))
    expect(timersSetBy(() => abort.abort(new Error('enough')))).toBe(-1)

    expect(await failure).toMatchObject({ message: 'enough' })
    expect(await failureOf(guild.waitForRequests(1, {}, { signal: abort.signal }))).toMatchObject({ message: 'enough' })
  })

  it.each<[unknown[], string]>([
    [[-1], '`count` must be an integer ≥ 1, got -1'],
    [[0], '`count` must be an integer ≥ 1, got 0'],
    [[{ atLeast: 1 }], '`count` must be an integer ≥ 1, got an object with 1 field'],
    [[1, { keyId: 'x' }], 'Unknown keyId `x`'],
    [[1, {}, { timeout: 5 }], 'Unknown option `timeout`. Did you mean `timeoutMs`?'],
    [[1, {}, { timeoutMs: -5 }], '`timeoutMs` must be a number of milliseconds from 0 to 2147483647, got -5'],
    [[1, {}, { signal: {} }], '`signal` must be an AbortSignal'],
  ])('rejects the arguments %j', async (given, message) => {
    const { guild } = createMockLedger()

    expect(String(await failureOf(guild.waitForRequests(...(given as [number]))))).toContain(message)
  })
})

it('takes a signal and a date of another realm, as a test in jsdom gets them from Vitest', async () => {
  const { guild } = createMockLedger({ now: () => Date.UTC(2026, 0, 1) })
  const { signal, expiresAt } = runInNewContext(`({
    signal: { aborted: true, addEventListener() {}, removeEventListener() {}, throwIfAborted() { throw 'aborted' } },
    expiresAt: new Date(Date.UTC(2027, 0, 1)),
  })`) as { signal: AbortSignal; expiresAt: Date }

  expect(await failureOf(guild.waitForRequests(1, {}, { signal }))).toBe('aborted')
  expect(guild.createKey({ name: 'bot', scopes: ['guild:read'], expiresAt }).expiresAt).toBe('2027-01-01T00:00:00.000Z')
})
