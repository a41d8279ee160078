/** One of many processes that share a throttle in Redis: sends requests as fast as it may until it is killed. */
import { Agent, get } from 'node:http'
import type { Outcome } from '@guild-ledger/sdk/throttle'
import { createRedisThrottle } from '@guild-ledger/sdk/redis'

const [library = '', redisPort = '', servicePort = '', processes = ''] = process.argv.slice(2)

const clientOf = async () => {
  // One of the two libraries only: importing both takes most of the start.
  if (library === 'ioredis') {
    const { Redis } = await import('ioredis')
    return new Redis(Number(redisPort), '127.0.0.1').on('error', () => {})
  }
  const { createClient } = await import('redis')
  const client = createClient({ url: `redis://127.0.0.1:${redisPort}` }).on('error', () => {})
  return client.connect()
}

const throttle = createRedisThrottle({ client: await clientOf(), key: 'one key', processes: Number(processes) })
const agent = new Agent({ keepAlive: true })

const send = async (): Promise<Outcome> =>
  new Promise((resolve) => {
    get({ agent, host: '127.0.0.1', port: servicePort, path: `/${process.pid}` }, (response) => {
      response.resume()
      resolve({ kind: 'completed', status: response.statusCode ?? 0 })
    }).on('error', () => resolve({ kind: 'failed' }))
  })

const keepSending = async (): Promise<void> => {
  for (;;) {
    const permit = await throttle.acquire()
    permit.release(await send())
  }
}

process.stdin.on('end', () => process.exit()).resume()
for (let i = 0; i < 10; i++) void keepSending()
