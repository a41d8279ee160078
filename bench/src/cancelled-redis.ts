/**
 * Whether eleven requests ever arrive in a second when up to eight processes share a throttle in Redis, abort, time out and
 * meet gateways: `pnpm --dir bench cancelled:redis [sends] [seed]`. Clients, network and the clock of Redis are in virtual time;
 * Redis is real, responds after up to two seconds, and its connections may fail. Needs redis-server.
 */
import { connectInVirtualTime, sharedThrottle } from '../../packages/sdk/test/redis-simulation.ts'
import { drawScenario, simulateClient } from '../../packages/sdk/test/transport-simulation.ts'
import { createRandom } from '../../packages/test-kit/src/random.ts'
import { startRedis } from '../../packages/test-kit/src/redis-server.ts'

const sends = Number(process.argv[2] ?? 20_000)
const random = createRandom(Number(process.argv[3] ?? 1))
await using server = await startRedis()
await using redis = await connectInVirtualTime(server.port)
let arrivals = 0
let over = 0
let runs = 0
while (arrivals < sends) {
  const clients = 1 + Math.floor(random() * 8)
  const network = { latencyMs: 1000 * random() ** 3, failures: random() < 0.5 ? 0 : 0.2 * random() }
  // `share` promises the limit only where Redis is away for all processes. Here each loses it at another time.
  const isAway = network.failures > 0 || 2 * network.latencyMs > 1000
  const run = await simulateClient({
    ...drawScenario(runs++, random),
    clients,
    ...sharedThrottle(redis, network, random, { onUnavailable: isAway ? 'fail' : 'share', processes: clients }),
  })
  arrivals += run.arrivals
  over += run.over
  if (run.over > 0) console.log(`${run.over} over the limit with`, { clients, network })
  if (runs % 20 === 0) process.stderr.write(`${arrivals} of ${sends} requests, ${over} over the limit\n`)
}
console.log(`with Redis, random networks, ${runs} runs: ${over} of ${arrivals} arrivals over the limit`)
