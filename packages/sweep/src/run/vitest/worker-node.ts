import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { takeTrace } from '../trace-file.ts'

/** A request that got a response, as `fetch` and `node:http` tell about it. */
interface SentRequest {
  readonly path?: string
  readonly origin?: string
  readonly host?: string
  readonly socket?: { readonly remotePort?: number } | null
}

const operation = /^\/guild\/ledger\/(?:[^/?#]+\/)?transactions(?:[?#]|$)/

/** What all files of a worker share: without isolation, it runs several. */
interface WorkerState {
  readonly current: AsyncLocalStorage<string>
  onResponse: (origin: string) => void
}
const slot = Symbol.for('guild-ledger-sweep.worker')

const createState = (): WorkerState => {
  const state: WorkerState = { current: new AsyncLocalStorage(), onResponse: () => {} }
  const listen = (message: unknown): void => {
    const { path = '', origin, host = '', socket } = (message as { request: SentRequest }).request
    const address = origin ?? `http://${host}:${socket?.remotePort ?? ''}`
    if (operation.test(path)) state.onResponse(address)
  }
  subscribe('undici:request:headers', listen)
  subscribe('http.client.response.finish', listen)
  return state
}

/** What a worker in Node can tell about its tests. */
export const watchNode = (folder: string) => {
  const state = ((globalThis as { [slot]?: WorkerState })[slot] ??= createState())
  // Threads have the same process id.
  const place = `${folder}/${process.pid}-${randomUUID()}`
  const origins = new Set<string>()
  let answered = 0
  state.onResponse = (origin) => {
    answered++
    origins.add(origin)
  }
  /** Writes at once: a test in an endless loop keeps the worker from sending messages. */
  const note = (line: string) => appendFileSync(`${place}.running`, `${line}\n`)
  note('')
  return {
    note,
    /** The test that the code runs for that runs now. */
    currentTest: () => state.current.getStore(),
    runAs: (test: string, run: () => Promise<void>) => state.current.run(test, run),
    takeTrace: () => takeTrace(`${place}.ndjson`),
    setVariables(variables: Readonly<Record<string, string>>, traceVariable: string) {
      Object.assign(process.env, variables, { [traceVariable]: `${place}.ndjson` })
    },
    /** How many responses came, of which the mocks told `traced`. */
    untracedCount: (traced: number): number => Math.max(0, answered - traced),
    origins,
  }
}
