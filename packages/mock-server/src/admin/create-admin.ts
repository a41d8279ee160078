import type { IncomingMessage } from 'node:http'
import { inWords } from '@guild-ledger/sdk/contract'
import type { Beside, Reply } from '../carriers/node.ts'
import type { Ledger } from '../mock-ledger/index.ts'
import { admit } from './access.ts'
import { textOf } from './body.ts'
import type { Clock } from './clock.ts'
import { Refused } from './refused.ts'
import { createSnapshotStore } from './snapshots.ts'
import { verbs } from './verbs.ts'

export { isLoopback } from './access.ts'

/** Who may use an admin API, and what it can move. */
export interface AdminOptions {
  /** What requests have to carry as `authorization: Bearer …`; without one, only loopback is answered. */
  readonly token?: string
  /** The clock whose `now` the mock was given. Without it the verbs of the clock are refused. */
  readonly clock?: Clock
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }

const routes = Object.entries(verbs).map(([path, byMethod]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  byMethod,
}))

const routeOf = (path: string, method: string) => {
  for (const { pattern, byMethod } of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const verb = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
    if (verb) return { verb, ids: match.slice(1) }
    const allow = Object.keys(byMethod).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    throw new Refused(405, `${path} takes ${allow.join(', ')}, not ${method}.`, { allow: allow.join(', ') })
  }
  throw new Refused(404, `The admin API has no path ${inWords(path)}: its paths are in the README.`)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refused(400, `${inWords(text)} in the path is not valid percent-encoding.`)
  }
}

const refusal = (error: unknown): Reply => {
  const { status, headers } = error instanceof Refused ? error : { status: 400, headers: {} }
  const { message } = error as Error
  return { status, headers: { ...json, ...headers }, body: JSON.stringify({ success: false, message }) }
}

/**
 * The admin API of a mock, for `startMockServer({ mock, beside: createAdmin(mock) })`. What is asked of it is no
 * request of the service: it is not in the log, and no rate limit holds it up.
 *
 * @throws {TypeError} `token` is empty.
 */
export const createAdmin = (mock: Ledger, options: AdminOptions = {}): Beside => {
  const { token, clock } = options
  if (token === '') throw new TypeError('token must not be empty: leave it out to answer on loopback only.')
  const snapshots = createSnapshotStore()
  const run = async (asked: IncomingMessage): Promise<Reply> => {
    admit(asked, token)
    const [path = ''] = (asked.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
    const method = asked.method === 'HEAD' ? 'GET' : (asked.method ?? 'GET')
    const { verb, ids } = routeOf(path, method)
    const body = method === 'GET' ? '' : await textOf(asked)
    const said = verb({ mock, clock, snapshots, ids: ids.map(decoded), body })
    if (said === undefined) return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    return { status: 200, headers: json, body: JSON.stringify(said) }
  }
  return {
    owns: (target) => /^\/_mock(\/|$|\?)/.test(target),
    // Whatever a mock throws is a sentence for whoever called.
    answer: async (asked) => run(asked).catch(refusal),
  }
}
