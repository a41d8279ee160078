import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { GuildLedger } from '@guild-ledger/sdk'
import { guildResponse } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const suspend = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1400)

/** A server in a thread of its own, which goes on while this one stands still. It responds after 300 ms. */
const server = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:http').createServer((_, response) => setTimeout(() => response.end(workerData), 300))
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

it('uses a response that waited in the socket while the process was suspended', async () => {
  const worker = new Worker(server, { eval: true, workerData: JSON.stringify(guildResponse) })
  const [port] = (await once(worker, 'message')) as [number]
  let isSuspended = false
  const ledger = new GuildLedger({
    apiKey: 'key-of-a-guild',
    baseUrl: `http://127.0.0.1:${port}`,
    throttle: false,
    retry: false,
    attemptTimeoutMs: 700,
    fetch: (url, init) => {
      // While this thread stands still from 100 to 1,500 ms, the response arrives and the time limit passes. Timers come
      // before sockets after that.
      if (isSuspended) setTimeout(setImmediate, 100, suspend)
      return fetch(url, init)
    },
  })
  await ledger.transactions.list({}, { attemptTimeoutMs: 10_000 }) // makes the connection
  isSuspended = true

  expect((await ledger.transactions.list()).data).toHaveLength(1)
  await worker.terminate()
})
