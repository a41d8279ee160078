/** Starts nginx or HAProxy with a configuration of this folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

const programs = {
  'nginx.conf': ['nginx', '-e', 'stderr', '-p'],
  'haproxy.cfg': ['haproxy', '-db', '-C'],
} as const

const accepts = async (port: number): Promise<boolean> => {
  const socket: Socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

export interface Gateway {
  /** The address at which a part of the configuration listens. */
  url(name: string): string
  stop(): Promise<void>
  /** Starts it again at the same addresses. */
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a gateway; `services` has the ports of what is behind it. */
export const startGateway = async (
  file: keyof typeof programs,
  services: Readonly<Record<string, number>>,
): Promise<Gateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-gateway-'))
  const template = await readFile(join(import.meta.dirname, file), 'utf8')
  const ports: Record<string, number> = { ...services }
  for (const [, name = ''] of template.matchAll(/:\{([\w-]+)\}/g)) ports[name] ??= await freePort()
  const configuration = join(folder, file)
  await writeFile(
    configuration,
    template.replaceAll(/:\{([\w-]+)\}/g, (_, name: string) => `:${ports[name]}`),
  )

  const [program, ...flags] = programs[file]
  const args = [...flags, folder, file === 'nginx.conf' ? '-c' : '-f', configuration]
  const env = { ...process.env, PATH: [process.env.PATH ?? '', '/usr/sbin'].join(delimiter) }
  const launch = async () => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    process.once('exit', () => child.kill())
    let printed = ''
    child.stderr.on('data', (chunk) => (printed += String(chunk)))
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', ({ message }) => {
        printed += message
        resolve()
      })
    })
    const own = Object.entries(ports).flatMap(([name, port]) => (name in services ? [] : [port]))
    for (const port of own) {
      while (!(await accepts(port))) {
        const hasEnded = await Promise.race([ended.then(() => true), sleep(20, false)])
        if (hasEnded) throw new Error(`${program} did not start:\n${printed}`)
      }
    }
    return { child, ended }
  }
  let running = await launch()
  const stop = async () => {
    running.child.kill()
    await running.ended
  }
  return {
    url: (name) => `http://127.0.0.1:${ports[name]}`,
    stop,
    start: async () => {
      running = await launch()
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
