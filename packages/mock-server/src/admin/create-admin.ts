import type { IncomingMessage } from 'node:http'
import type { Beside, Reply } from '../carriers/node.ts'
import type { Ledger } from '../mock-ledger/index.ts'
import { pageAt } from '../page/index.ts'
import { admit } from './access.ts'
import { bodyFor, textOf } from './body.ts'
import type { Clock } from './clock.ts'
import { Refused } from './refused.ts'
import { routeOf } from './route.ts'
import { createSnapshotStore } from './snapshots.ts'

export { isLoopback } from './access.ts'

/** Who may use an admin API, and what it can move. */
export interface AdminOptions {
  /** What requests have to carry as `authorization: Bearer …`; without one, only loopback is answered. */
  readonly token?: string
  /** The clock whose `now` the mock was given. Without it the verbs of the clock are refused. */
  readonly clock?: Clock
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }

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
    const [path = ''] = (asked.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
    const method = asked.method === 'HEAD' ? 'GET' : (asked.method ?? 'GET')
    const page = pageAt({ path, method, asksForToken: token !== undefined })
    // There is nothing to hide in the page, and who has a token can only type it in there.
    if (!page || token === undefined) admit(asked, token)
    if (page) return page
    const { verb, ids } = routeOf(path, method)
    const text = method === 'GET' ? '' : await textOf(asked)
    const said = verb.run({ mock, clock, snapshots, ids, ...bodyFor(verb, text) })
    if (said === undefined) return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    return { status: 200, headers: json, body: JSON.stringify(said) }
  }
  return {
    owns: (target) => /^\/_mock(\/|$|\?)/.test(target),
    // Whatever a mock throws is a sentence for whoever called.
    answer: async (asked) => run(asked).catch(refusal),
  }
}
