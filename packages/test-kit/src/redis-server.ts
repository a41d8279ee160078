import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A Redis of a test: on loopback, in memory, ended with the test. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
}

/**
 * A port below those that the system gives to others, so that it stays free until Redis takes it, once more after a stop. A
 * Redis in a cluster listens on this port + 10,000 as well.
 */
const freePort = async (): Promise<number> => {
  const port = 12_000 + Math.floor(Math.random() * 10_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : freePort()
}

const launch = async (port: number, more: readonly string[]): Promise<ChildProcess> => {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', [...fixed, ...more], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    server.on('error', (cause) =>
      reject(new Error('these tests need redis-server: install it (Debian: apt install redis-server)', { cause })),
    )
    server.on('exit', (code) => reject(new Error(`redis-server ended at once with code ${code}`)))
    server.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve()
    })
  })
  return server
}

export const startRedis = async (more: readonly string[] = []): Promise<RedisServer> => {
  const port = await freePort()
  let server: ChildProcess | undefined = await launch(port, more)
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (!running) return
    const ended = once(running, 'exit')
    running.kill('SIGCONT')
    running.kill('SIGKILL')
    await ended
  }
  return {
    port,
    get pid() {
      return server?.pid ?? 0
    },
    stop,
    async start() {
      server ??= await launch(port, more)
    },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    [Symbol.asyncDispose]: stop,
  }
}
