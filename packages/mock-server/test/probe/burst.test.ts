import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { probe, type ProbeOptions } from '@guild-ledger/mock-server/probe'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// A busy machine takes a while for some dozens of requests.
vi.setConfig({ testTimeout: 240_000 })

beforeEach(
  () =>
    void vi.useFakeTimers({ now: Date.UTC(2026, 5, 1), toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }),
)
afterEach(() => void vi.useRealTimers())

/** Runs to the end in virtual time. */
const settled = async <Result>(work: Promise<Result>): Promise<Result> => {
  const state = { isOver: false }
  const end = work.finally(() => (state.isOver = true))
  end.catch(() => {})
  while (!state.isOver) await vi.advanceTimersByTimeAsync(250)
  return end
}

const serviceWith = (assumptions: Parameters<typeof createMockLedger>[0] = {}) => {
  const mock = createMockLedger({ transactions: 30, ...assumptions })
  const other = mock.createGuild({ transactions: 30, seed: 7, ...assumptions })
  const { value: sameGuild } = mock.guild.createKey({
    name: 'another',
    scopes: ['guild:read'],
    expiresAt: '2999-01-01T00:00:00Z',
  })
  return { mock, sameGuild, otherGuild: other.apiKey }
}

const burstOn = async (mock: MockLedger, more: Partial<ProbeOptions> = {}) => {
  const options = { apiKey: mock.apiKey, baseUrl: mock.origin, fetch: mock.fetch, requestsPerSecond: 10, burst: true }
  const { findings, requests } = await settled(probe({ ...options, maxRequests: 300, ...more }))
  return { requests, of: (name: string) => findings.find(({ key }) => key === name) }
}

it.each(['key', 'guild', 'address'] as const)('decides how a service counts, by %s', async (rateLimitScope) => {
  const { mock, sameGuild, otherGuild } = serviceWith({
    assumptions: { rateLimitScope, rateLimitedRequestsCount: true },
  })
  const before = mock.requests.length
  const { of, requests } = await burstOn(mock, { keys: { sameGuild, otherGuild } })

  expect(of('rateLimitAlgorithm')).toMatchObject({ verdict: 'decided', value: 'sliding-window' })
  expect(of('rateLimitedRequestsCount')).toMatchObject({ verdict: 'decided', value: true })
  expect(of('rateLimitScope')).toMatchObject({ verdict: 'decided', value: rateLimitScope })
  expect(requests.sent).toBe(mock.requests.length - before)
})

it('says without further keys what the scope needs', async () => {
  const { of } = await burstOn(serviceWith().mock)

  expect(of('rateLimitScope')).toMatchObject({
    verdict: 'skipped',
    candidates: ['key', 'guild', 'address'],
    needs: 'another key of the guild: option `keys.sameGuild`, and a key of another guild: option `keys.otherGuild`',
  })
})

it('concludes nothing from keys that are of another guild than the option says', async () => {
  const { mock, sameGuild, otherGuild } = serviceWith({ assumptions: { rateLimitScope: 'guild' } })
  const { of } = await burstOn(mock, { keys: { sameGuild: otherGuild, otherGuild: sameGuild } })

  expect(of('rateLimitScope')).toMatchObject({
    verdict: 'skipped',
    needs:
      'a key of the same guild: option `keys.sameGuild` has another ledger; ' +
      'a key of another guild: option `keys.otherGuild` has the same ledger',
  })
})

it('concludes nothing from a key that the service rejects', async () => {
  const { mock } = serviceWith()
  const { of } = await burstOn(mock, { keys: { sameGuild: 'mistyped' } })

  expect(of('rateLimitScope')).toMatchObject({
    verdict: 'skipped',
    needs: 'a key that the service accepts: option `keys.sameGuild`, got 401',
  })
})

it('ends at once with the reason of the signal, while a service does not respond', async () => {
  const { mock } = serviceWith()
  const controller = new AbortController()
  const waiting: Request[] = []
  // A caller's fetch may ignore the signal.
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).search !== '?limit=1' || mock.requests.length < 20) return mock.fetch(request)
    waiting.push(request)
    return new Promise(() => {})
  }
  const { apiKey, origin } = mock
  const work = probe({ apiKey, baseUrl: origin, fetch, requestsPerSecond: 10, burst: true, signal: controller.signal })
  let reason: unknown
  work.catch((error: unknown) => (reason = error))
  while (mock.requests.length < 20 || waiting.length < 12) await vi.advanceTimersByTimeAsync(100)

  controller.abort(new Error('enough'))
  await vi.advanceTimersByTimeAsync(0)

  expect(reason).toEqual(new Error('enough'))
})

it('ends at once with the reason of the signal, during a pause of a burst', async () => {
  const { mock } = serviceWith()
  const controller = new AbortController()
  const { apiKey, origin, fetch } = mock
  const times: number[] = []
  const work = probe({
    apiKey,
    baseUrl: origin,
    fetch,
    requestsPerSecond: 10,
    burst: true,
    signal: controller.signal,
    onProgress: () => void times.push(performance.now()),
  })
  let reason: unknown
  work.catch((error: unknown) => (reason = error))
  while (performance.now() - (times.at(-1) ?? performance.now()) < 1500) await vi.advanceTimersByTimeAsync(100)

  controller.abort(new Error('enough'))
  await vi.advanceTimersByTimeAsync(0)

  expect(reason).toEqual(new Error('enough'))
})

it.each<[Partial<ProbeOptions>, string]>([
  [{ keys: { sameGuild: 'x' } }, '`keys.sameGuild` is used only with option `burst`: set it too'],
  [{ burst: true, keys: { otherGuild: 'own' } }, '`keys.otherGuild` must be another key than `apiKey`'],
  [
    { burst: true, keys: { sameGuild: 'x', otherGuild: 'x' } },
    '`keys.otherGuild` must be another key than `keys.sameGuild`',
  ],
  [{ burst: true, keys: { sameGuild: 7 as never } }, '`sameGuild` must be a string, got a number'],
])('rejects the options %j', async (options, message) => {
  await expect(probe({ apiKey: 'own', baseUrl: 'https://ledger.example', ...options })).rejects.toThrow(message)
})
