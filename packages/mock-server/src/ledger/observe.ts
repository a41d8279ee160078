import {
  expectRequests,
  expectRequestsInOrder,
  waitForRequests,
  type ExpectedOf,
  type LoggedRequest,
  type RequestCount,
  type RequestLog,
  type RequestMatcher,
  type WaitOptions,
} from '../request-log/index.ts'
import type { Keys } from '../store/index.ts'

/** What tests ask about requests, of a guild as of the whole mock. */
interface Observing {
  readonly expectRequests: (count: RequestCount, matcher?: RequestMatcher) => void
  readonly expectRequestsInOrder: (matchers: readonly RequestMatcher[]) => void
  readonly waitForRequests: (count: number, matcher?: RequestMatcher, options?: WaitOptions) => Promise<LoggedRequest[]>
}

/** The expectations about a log. */
const observe = (log: RequestLog, expected: () => ExpectedOf): Observing => ({
  expectRequests: (count, matcher) => expectRequests(expected(), count, matcher),
  expectRequestsInOrder: (matchers) => expectRequestsInOrder(expected(), matchers),
  waitForRequests: (count, matcher, options) =>
    waitForRequests({ current: expected, onChange: (listener) => log.onChange(listener) }, count, matcher, options),
})

/** The expectations about the requests to a mock. */
export const observeMock = (log: RequestLog, keys: Keys): Observing =>
  observe(log, () => ({ requests: log.requests(), keyIds: keys.issued() }))

/** The expectations about the requests for a guild. Those in the log of the mock that are for no guild are named, too. */
export const observeGuild = (guildId: string, log: RequestLog, logOfMock: RequestLog, keys: Keys): Observing =>
  observe(log, () => ({
    requests: log.requests(),
    withoutGuild: () =>
      logOfMock.requests().filter(({ keyId }) => keyId === null || (keys.guildOf(keyId) ?? null) === null),
    keyIds: keys.issued(guildId),
  }))
