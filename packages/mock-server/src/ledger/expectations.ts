import {
  expectRequests,
  expectRequestsInOrder,
  type ExpectedOf,
  type RequestCount,
} from '../request-log/expect-requests.ts'
import { waitForRequests, type WaitOptions } from '../request-log/wait-for-requests.ts'
import type { LoggedRequest, RequestLog } from '../request-log/request-log.ts'
import type { RequestMatcher } from '../request-log/format-requests.ts'
import type { GuildState } from '../service/guild-state.ts'
import type { Keys } from '../store/keys.ts'

/** What tests expect of requests, to a guild as to the whole mock. */
export interface RequestExpectations {
  /**
   * Passes if as many requests match as `count` says: a number, or `{ atLeast, atMost }`; those of a mock are for any guild, or
   * for none. Without a matcher all requests to the two endpoints count; those to other paths count only where the matcher
   * has their `path`.
   *
   * @throws {Error} There were fewer or more. The message lists the requests, nearest first and with those that had an unknown
   * key, ready for a test report.
   * @throws {TypeError} `count` or `matcher` is not valid, or no request can match.
   */
  expectRequests(count: RequestCount, matcher?: RequestMatcher): void
  /**
   * Passes if there is a request for each matcher, one after the other; others may come in between.
   *
   * @throws {Error} One is missing or came too early. The message lists the requests, nearest first.
   * @throws {TypeError} A matcher is not valid, or no request can match it.
   */
  expectRequestsInOrder(matchers: readonly RequestMatcher[]): void
  /**
   * Waits until at least `count` requests match, and resolves with these. They are counted once their response is decided.
   *
   * @throws {Error} There were fewer after `timeoutMs`. The message lists the requests, nearest first.
   * @throws {TypeError} An argument is not valid, or no request can match.
   * @throws The reason of `signal`, once it aborts.
   */
  waitForRequests(count: number, matcher?: RequestMatcher, options?: WaitOptions): Promise<LoggedRequest[]>
}

const expectationsOf = (log: RequestLog, expected: () => ExpectedOf): RequestExpectations => ({
  expectRequests: (count, matcher) => expectRequests(expected(), count, matcher),
  expectRequestsInOrder: (matchers) => expectRequestsInOrder(expected(), matchers),
  waitForRequests: (count, matcher, options) => waitForRequests(log, expected, count, matcher, options),
})

export const expectationsOfMock = (log: RequestLog, keys: Keys): RequestExpectations =>
  expectationsOf(log, () => ({ requests: log.requests(), keyIds: keys.issued() }))

/** The expectations about the requests for a guild. Those in the log of the mock that are for no guild are named, too. */
export const expectationsOfGuild = ({ id, log }: GuildState, logOfMock: RequestLog, keys: Keys): RequestExpectations =>
  expectationsOf(log, () => ({
    requests: log.requests(),
    withoutGuild: () =>
      logOfMock.requests().filter(({ keyId }) => keyId === null || (keys.guildOf(keyId) ?? null) === null),
    keyIds: keys.issued(id),
  }))
