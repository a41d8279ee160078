import { REST, type ResponseLike } from '@discordjs/rest'
import Bottleneck from 'bottleneck'
import { RateLimiter } from 'limiter'
import PQueue from 'p-queue'
import { pRateLimit } from 'p-ratelimit'
import pThrottle from 'p-throttle'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { createThrottle } from '../../packages/sdk/src/throttle/index.ts'

/** Sends one request when it may. */
type Send = (url: string) => Promise<void>

const request = async (url: string): Promise<number> => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

const ours = (): Send => {
  const throttle = createThrottle()
  return async (url) => {
    const permit = await throttle.acquire()
    const response = await fetch(url)
    permit.release({ kind: 'completed', status: response.status })
    await response.arrayBuffer()
  }
}

/** Everyone is set to ten a second, the way its own documentation shows. */
export const contenders: Record<string, () => Send> = {
  ours,
  'p-throttle': () => {
    const throttled = pThrottle({ limit: 10, interval: 1000 })(request)
    return async (url) => void (await throttled(url))
  },
  'p-throttle strict': () => {
    const throttled = pThrottle({ limit: 10, interval: 1000, strict: true })(request)
    return async (url) => void (await throttled(url))
  },
  'p-queue': () => {
    const queue = new PQueue({ intervalCap: 10, interval: 1000 })
    return async (url) => void (await queue.add(() => request(url)))
  },
  'bottleneck reservoir': () => {
    const limiter = new Bottleneck({
      reservoir: 10,
      reservoirRefreshAmount: 10,
      reservoirRefreshInterval: 1000,
    })
    return async (url) => void (await limiter.schedule(() => request(url)))
  },
  'bottleneck minTime': () => {
    const limiter = new Bottleneck({ minTime: 100 })
    return async (url) => void (await limiter.schedule(() => request(url)))
  },
  limiter: () => {
    const limiter = new RateLimiter({ tokensPerInterval: 10, interval: 'second' })
    return async (url) => {
      await limiter.removeTokens(1)
      await request(url)
    }
  },
  'rate-limiter-flexible': () => {
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points: 10, duration: 1 }))
    return async (url) => {
      await queue.removeTokens(1)
      await request(url)
    }
  },
  'p-ratelimit': () => {
    const limited = pRateLimit({ interval: 1000, rate: 10 })
    return async (url) => void (await limited(async () => request(url)))
  },
  '@discordjs/rest': () => {
    const rest = new REST({
      globalRequestsPerSecond: 10,
      makeRequest: async (url) => (await fetch(url)) as unknown as ResponseLike,
    })
    return async (url) => {
      const { origin, pathname } = new URL(url)
      rest.options.api = `${origin}/${pathname.split('/')[1]}`
      await rest.get(`/r/${pathname.split('/')[2]}`, { auth: false })
    }
  },
}
