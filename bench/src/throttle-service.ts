/**
 * A service that logs when requests arrive, after an inbound delay. `POST /<run>?jitterMs&coldMs` prepares a run,
 * `GET /<run>/…` is a request of it, `DELETE /<run>` gives the log. Runs until its parent goes.
 */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'

const runs = new Map<string, { jitterMs: number; coldMs: number; arrivals: number[]; warm: WeakSet<Socket> }>()

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://service')
  const name = url.pathname.split('/')[1] ?? ''
  if (request.method === 'POST') {
    const number = (key: string) => Number(url.searchParams.get(key))
    runs.set(name, { jitterMs: number('jitterMs'), coldMs: number('coldMs'), arrivals: [], warm: new WeakSet() })
    response.end()
    return
  }
  const run = runs.get(name)
  if (!run) {
    response.writeHead(404).end()
    return
  }
  if (request.method === 'DELETE') {
    runs.delete(name)
    response.end(JSON.stringify(run.arrivals))
    return
  }
  const cold = run.warm.has(request.socket) ? 0 : run.coldMs
  run.warm.add(request.socket)
  setTimeout(
    () => {
      run.arrivals.push(performance.now())
      setTimeout(() => response.setHeader('content-type', 'application/json').end('{}'), run.jitterMs * Math.random())
    },
    cold + run.jitterMs * Math.random(),
  )
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit())
