import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The requests in flight and the connections of a server, so that it can close without breaking a response. */
export interface ConnectionTracker {
  /**
   * A request came in; it is in flight until its response is sent or its client is gone. `serve` is called at once, or
   * when the responses to those that the client sent before on the same connection are sent.
   */
  opened(out: ServerResponse, serve: () => void): void
  /** There will be no response, so nothing waits for it once the client has ended its side. */
  abandon(out: ServerResponse): void
  /** Whether a request of this connection is in flight. */
  isBusy(socket: Duplex): boolean
  /** Whether the body of a request of this connection has not arrived yet. */
  isReceiving(socket: Duplex): boolean
  /** Ends a connection after the response to its request in flight. */
  endAfter(socket: Duplex): void
  /**
   * Stops listening, lets clients send one more request for `lastRequestMs`, lets requests in flight finish for up to
   * `graceMs`, then ends every connection.
   */
  close(graceMs: number, lastRequestMs: number): Promise<void>
}

/** Requests that a client may send without reading the responses. Their responses are not made before they can be sent. */
const maxWaiting = 1000

/**
 * Tracks the connections of a server. A client that has ended its side is either waiting for a response or gone, which
 * look the same: it has `endedMs` to get its responses.
 */
export const trackConnections = (server: Server, endedMs: number): ConnectionTracker => {
  const inFlight = new Set<ServerResponse>()
  /** For each connection the response to its latest request, and how many requests wait for earlier responses. */
  const latest = new WeakMap<Socket, { readonly out: ServerResponse; readonly waiting: number }>()
  const sockets = new Set<Socket>()
  const withoutResponse = new WeakSet<Socket>()
  let closing = false
  let onIdle = () => {}
  const done = (out: ServerResponse) => {
    inFlight.delete(out)
    if (inFlight.size === 0) onIdle()
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    let timer: NodeJS.Timeout | undefined
    socket.once('end', () => {
      if (closing || withoutResponse.has(socket)) socket.destroy()
      else timer = setTimeout(() => socket.destroy(), endedMs).unref()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      sockets.delete(socket)
    })
  })

  const idle = async (graceMs: number) => {
    if (inFlight.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    opened(out, serve) {
      const { socket } = out.req
      const before = latest.get(socket)
      const isWaiting = before !== undefined && inFlight.has(before.out)
      const waiting = isWaiting ? before.waiting + 1 : 0
      latest.set(socket, { out, waiting })
      inFlight.add(out)
      if (closing) out.shouldKeepAlive = false
      if (waiting > maxWaiting) socket.destroy()
      else if (isWaiting) before.out.once('close', serve)
      else serve()
      out.once('close', () => done(out))
    },
    abandon(out) {
      const { socket } = out.req
      withoutResponse.add(socket)
      if (socket.readableEnded) socket.destroy()
      done(out)
    },
    isBusy: (socket) => [...inFlight].some((out) => out.socket === socket),
    isReceiving: (socket) => [...inFlight].some((out) => out.socket === socket && !out.req.complete),
    endAfter(socket) {
      for (const out of inFlight) {
        if (out.socket !== socket) continue
        out.shouldKeepAlive = false
        out.once('close', () => socket.end())
      }
    },
    async close(graceMs, lastRequestMs) {
      closing = true
      // Not server.close(): that ends connections whose response is written but not yet read. Bun has nothing below it.
      const closed = new Promise<void>((resolve) => {
        const end = () => resolve()
        if ((server as object) instanceof NetServer) NetServer.prototype.close.call(server, end)
        else server.close(end)
      })
      if (lastRequestMs > 0 && sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, lastRequestMs))
      const busy = new Set<Socket | null>()
      for (const out of inFlight) {
        out.shouldKeepAlive = false
        // Most clients that have ended their side are gone, and nobody should wait for those.
        if (out.req.socket.readableEnded) done(out)
        else busy.add(out.socket)
      }
      for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon()
      await idle(graceMs)
      server.close(() => {}) // stops its timers; the callback takes the error that it no longer listens
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
