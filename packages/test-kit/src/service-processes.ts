import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A request as the service saw it. */
export interface Arrival {
  readonly at: number
  readonly pid: number
}

/** Processes with one key, and the service that logs what they send. */
export interface Processes extends AsyncDisposable {
  readonly arrivals: readonly Arrival[]
  readonly pids: readonly number[]
  kill(pid: number): Promise<void>
  /** Waits until `done`, checked every 20 ms; false if that takes longer than `seconds`. */
  until(done: () => boolean, seconds: number): Promise<boolean>
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/**
 * Starts `count` processes of `worker`, which share the key, and the service. `oneWayMs` is drawn for each request and each
 * response; the service counts a request after that time.
 */
export const startProcesses = async (
  worker: URL,
  count: number,
  redisPort: number,
  oneWayMs: () => number,
): Promise<Processes> => {
  const arrivals: Arrival[] = []
  const service = createServer((request, response) => {
    setTimeout(() => {
      arrivals.push({ at: performance.now(), pid: Number(request.url?.slice(1)) })
      setTimeout(() => response.end('{}'), oneWayMs())
    }, oneWayMs())
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address ? address.port : 0

  const children = Array.from({ length: count }, (_, i): ChildProcess => {
    const library = i % 2 === 0 ? 'ioredis' : 'redis'
    const values = [library, redisPort, port, count].map(String)
    return spawn(process.execPath, ['--conditions=@guild-ledger/source', fileURLToPath(worker), ...values], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
  })

  return {
    arrivals,
    pids: children.map(({ pid = 0 }) => pid),
    async kill(pid) {
      await Promise.all(children.filter((child) => child.pid === pid).map(kill))
    },
    async until(done, seconds) {
      for (let checks = seconds * 50; checks > 0; checks--) {
        if (done()) return true
        await sleep(20)
      }
      return done()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(kill))
      service.closeAllConnections()
      service.close()
    },
  }
}
