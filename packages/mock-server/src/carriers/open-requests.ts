import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** What is on its way through a server, so that it can end without breaking it. */
export interface OpenRequests {
  /** Tells of a request; it is forgotten when its reply is out or its client gone. */
  opened(out: ServerResponse): void
  /** Tells that a reply is never to come, so nothing waits for it once its client has ended its side. */
  abandon(out: ServerResponse): void
  /** Whether a reply is on its way there. */
  busy(socket: Duplex): boolean
  /** Ends a connection when the reply that is on its way there is out. */
  endAfter(socket: Duplex): void
  /** Stops listening, lets open requests finish for as long as `graceMs`, then ends every connection. */
  end(graceMs: number): Promise<void>
}

/**
 * Tracks the requests of a server. A client that has ended its side is either waiting for a reply or gone for good,
 * which look the same: it has `endedMs` to get its replies.
 */
export const trackRequests = (server: Server, endedMs: number): OpenRequests => {
  const open = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  const hopeless = new WeakSet<Socket>()
  let ending = false
  let whenIdle = () => {}
  const done = (out: ServerResponse) => {
    open.delete(out)
    if (open.size === 0) whenIdle()
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    let timer: NodeJS.Timeout | undefined
    socket.once('end', () => {
      if (ending || hopeless.has(socket)) socket.destroy()
      else timer = setTimeout(() => socket.destroy(), endedMs).unref()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      sockets.delete(socket)
    })
  })

  const idle = async (graceMs: number) => {
    if (open.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      whenIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    opened(out) {
      open.add(out)
      if (ending) out.shouldKeepAlive = false
      out.once('close', () => done(out))
    },
    abandon(out) {
      const { socket } = out.req
      hopeless.add(socket)
      if (socket.readableEnded) socket.destroy()
      done(out)
    },
    busy: (socket) => [...open].some((out) => out.socket === socket),
    endAfter(socket) {
      for (const out of open) {
        if (out.socket !== socket) continue
        out.shouldKeepAlive = false
        out.once('close', () => socket.end())
      }
    },
    async end(graceMs) {
      ending = true
      // Not server.close(): that ends connections whose reply is written but not yet read.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      const busy = new Set<Socket | null>()
      for (const out of open) {
        out.shouldKeepAlive = false
        // Most who have ended their side are gone, and nobody should wait for those.
        if (out.req.socket.readableEnded) done(out)
        else busy.add(out.socket)
      }
      for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon()
      await idle(graceMs)
      server.close(() => {}) // stops its timers; that it no longer listens is no news
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
