import {
  aFunction,
  check,
  integer,
  nonEmptyString,
  oneOf,
  quoted,
  secret,
  validate,
  type Check,
} from '@guild-ledger/validation'
import { defaults } from '../../defaults.ts'
import { ConfigurationError, invalidOption } from '../../errors/index.ts'
import { settingsOf, throttleChecks, type ThrottleOptions } from '../options.ts'
import { isIoredis, isNodeRedis, type RedisClient } from './client.ts'

/** Options of `createRedisThrottle`. */
export interface RedisThrottleOptions extends Omit<ThrottleOptions, 'share'> {
  /** A connected client of ioredis or node-redis (5 or 6), single or cluster. It stays yours: nothing here closes it. */
  readonly client: RedisClient
  /**
   * What the service counts requests by, the same in every process: the API key. Redis sees a hash of it. Where Redis does
   * not know it yet, the first call waits for 2.5 s: others may have sent requests that Redis has lost.
   */
  readonly key: string
  /** Begins the names in Redis, which share one hash tag: `{guild-ledger:<hash>}:leases`. @default 'guild-ledger' */
  readonly prefix?: string | undefined
  /**
   * While Redis cannot be reached. `share`: this process goes on with its share of the rate, 10 / `processes`, after a
   * wait in which requests sent by others have arrived. `fail`: calls fail with a `ThrottleError`
   * (`throttle_unavailable`). `share` is right when Redis is away for all processes, not only for some.
   *
   * @default 'share' if `processes` is given, else 'fail'
   */
  readonly onUnavailable?: 'share' | 'fail' | undefined
  /** How many processes use the key at most; needed for `share`. */
  readonly processes?: number | undefined
  /** Milliseconds within which Redis must respond; else it counts as unavailable. @default 1000 */
  readonly redisTimeoutMs?: number | undefined
  /**
   * Receives a warning at the first use where Redis may evict the throttle's keys: a memory limit with a
   * `maxmemory-policy` other than `noeviction`.
   *
   * @default process.emitWarning
   */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Time limit of an attempt, in milliseconds, as clients set it: a request is given up after it. @default 10000 */
  readonly attemptTimeoutMs?: number | undefined
}

const duration = check((value) => Number.isFinite(value) && Number(value) > 0, 'a number of milliseconds > 0')
const { share: _share, ...common } = throttleChecks

const checks: Record<keyof RedisThrottleOptions, Check> = {
  ...common,
  client: check(
    (value) => isNodeRedis(value) || isIoredis(value),
    'a client of ioredis or node-redis, such as new Redis(…) or await createClient(…).connect()',
  ),
  key: secret(nonEmptyString),
  prefix: quoted(
    check(
      (value) => typeof value === 'string' && /^[^{}]+$/.test(value),
      'a string that is not empty, without { and }',
    ),
  ),
  onUnavailable: oneOf('share', 'fail'),
  processes: integer(1),
  redisTimeoutMs: duration,
  attemptTimeoutMs: duration,
  onWarning: aFunction,
}

const required = (name: string, what: string) =>
  new ConfigurationError(name, `\`${name}\` is missing: pass ${what} to createRedisThrottle`)

const emitWarning = (message: string): void => globalThis.process?.emitWarning?.(message, 'GuildLedgerWarning')

export const redisSettingsOf = (options: RedisThrottleOptions) => {
  const taken = validate(checks, options, invalidOption)
  const { client, key, processes, prefix, onUnavailable, redisTimeoutMs, attemptTimeoutMs, onWarning, ...rest } = taken
  if (client === undefined) throw required('client', 'a client of ioredis or node-redis')
  if (key === undefined) throw required('key', 'the API key')
  const whenAway = onUnavailable ?? (processes === undefined ? 'fail' : 'share')
  if (whenAway === 'share' && processes === undefined) {
    throw required('processes', "the number of processes that share the key, or onUnavailable: 'fail',")
  }
  const settings = settingsOf(rest)
  const share = whenAway === 'share' ? settingsOf({ ...rest, share: { of: processes ?? 1 } }).slots : 0
  return {
    ...settings,
    /** Those of a throttle without Redis. */
    options: rest,
    client,
    key,
    prefix: prefix ?? defaults.redis.prefix,
    /** Slots of this process while Redis is away; 0 to fail. */
    share,
    onWarning: onWarning ?? emitWarning,
    redisTimeoutMs: redisTimeoutMs ?? defaults.redis.redisTimeoutMs,
    attemptTimeoutMs: attemptTimeoutMs ?? defaults.redis.attemptTimeoutMs,
  }
}

export type RedisSettings = ReturnType<typeof redisSettingsOf>
