/** A process that makes calls and stands still directly after the tenth `fetch`: `<address> blocked|stopped [redis port]`. */
import { createThrottle, GuildLedger } from '@guild-ledger/sdk'
import { createRedisThrottle } from '@guild-ledger/sdk/redis'
import { createClient } from 'redis'

const calls = 60
const blockedMs = 22_000
const [baseUrl, how = '', redisPort] = process.argv.slice(2)

const standstills: Record<string, () => void> = {
  blocked: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs),
  stopped: () => process.kill(process.pid, 'SIGSTOP'),
}

const redis = redisPort === undefined ? undefined : createClient({ url: `redis://127.0.0.1:${redisPort}` })
await redis?.connect()
const throttle = redis ? createRedisThrottle({ client: redis, key: how }) : createThrottle()
const first = await throttle.acquire() // where Redis is empty the first call waits
first.release({ kind: 'notSent' })
let sent = 0
const ledger = new GuildLedger({
  apiKey: 'a-key',
  baseUrl,
  throttle,
  logLevel: 'off',
  fetch(url, init) {
    if (++sent === 10) queueMicrotask(standstills[how] ?? (() => {}))
    return fetch(url, init)
  },
})
const ends = Array.from({ length: calls }, (_, i) => ledger.transactions.list({ page: i + 1 }))
const failed = (await Promise.allSettled(ends)).filter(({ status }) => status === 'rejected')
if (failed.length > 0) process.stderr.write(`${how}: ${failed.length} of ${calls} calls failed\n`)
redis?.destroy()
