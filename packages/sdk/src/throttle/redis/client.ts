import { isErrorLike, propertyOf } from '@guild-ledger/validation'

/** What is used of an ioredis client, single or cluster. */
export interface IoredisLike {
  /** Runs a script that Redis knows. */
  evalsha(sha: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  /** Runs a script. */
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
}

/** What is used of a node-redis client, single or cluster. */
export interface NodeRedisLike {
  /** Runs a script that Redis knows. */
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A connected client of ioredis or node-redis (5 or 6). It stays yours: nothing here closes it. */
export type RedisClient = IoredisLike | NodeRedisLike

const has = (client: unknown, method: string): boolean => typeof propertyOf(client, method) === 'function'

export const isNodeRedis = (client: unknown): client is NodeRedisLike => has(client, 'evalSha') && has(client, 'eval')
export const isIoredis = (client: unknown): client is IoredisLike => has(client, 'evalsha') && has(client, 'eval')

const hex = async (algorithm: 'SHA-1' | 'SHA-256', text: string): Promise<string> => {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A name for a secret that tells nothing about it, the same in every process. */
export const nameFor = async (secret: string): Promise<string> => (await hex('SHA-256', secret)).slice(0, 32)

/** Runs `script` by its SHA, and sends it along where the server does not know it (any more). */
export const createScript = (client: RedisClient, script: string) => {
  let hash: Promise<string> | undefined
  return async (keys: string[], values: string[]): Promise<unknown> => {
    const sha = await (hash ??= hex('SHA-1', script))
    const named = { keys, arguments: values }
    const listed = [keys.length, ...keys, ...values] as const
    try {
      return await (isNodeRedis(client) ? client.evalSha(sha, named) : client.evalsha(sha, ...listed))
    } catch (error) {
      if (!(isErrorLike(error) && error.message.startsWith('NOSCRIPT'))) throw error
      return isNodeRedis(client) ? client.eval(script, named) : client.eval(script, ...listed)
    }
  }
}
