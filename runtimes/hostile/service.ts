import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Hostile, HostileRequest } from './hostile.ts'

const parse = (head: string, count: number): HostileRequest => ({
  page: Number(/[?&]page=(\d+)/.exec(head)?.[1] ?? 1),
  key: /^x-api-key: *(.*?)\r$/im.exec(head)?.[1] ?? '',
  count,
})

const write = async (socket: Socket, part: string | Uint8Array): Promise<void> => {
  if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
}

const respond = async (socket: Socket, request: HostileRequest, hostile: Hostile): Promise<void> => {
  const { send, pauseMs = 0, repeats = false, stays = false } = hostile
  const parts = send(request)
  for (const part of parts) {
    await write(socket, part)
    await setTimeout(pauseMs)
  }
  const last = parts.at(-1)
  while (repeats && last !== undefined && !socket.destroyed) {
    await write(socket, last)
    await setTimeout(pauseMs)
  }
  if (!stays) socket.end()
}

/** Serves one hostile response to every request on a free port of 127.0.0.1. */
export const startHostileService = async (hostile: Hostile) => {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    let head = ''
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      head += data.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      const request = parse(head, ++count)
      head = ''
      void respond(socket, request, hostile).catch(() => {})
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
