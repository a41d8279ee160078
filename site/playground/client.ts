/** The client of the SDK, which reports each request that it sends. */
import type { AssumptionDefinition } from '../../packages/mock-server/src/assumptions/definition.ts'
import { assumptionDefinitions, type AssumptionKey } from '../../packages/mock-server/src/assumptions/values.ts'
import { GuildLedger, type Fetch, type GuildLedgerOptions } from '../../packages/sdk/src/index.ts'
import { sendNext } from './environment.ts'
import type { MetAssumption, SentRequest } from './messages.ts'
import { afterFirstResponse } from './mock.ts'

type Report = (request: SentRequest, assumptions: readonly MetAssumption[]) => void

/** The assumptions in the header of a response: `pageUnit=transaction, maxLimit=100`. */
const assumptionsIn = (header: string | null): MetAssumption[] =>
  (header?.split(', ') ?? []).map((each) => {
    const [name = '', value = ''] = each.split('=')
    const definition: AssumptionDefinition = assumptionDefinitions[name as AssumptionKey]
    const [, meaning] = ('values' in definition && definition.values.find(([known]) => String(known) === value)) || []
    return { name, value, question: definition.question.replace(/[:;,]? not shown\.$/, ''), meaning }
  })

let lastId = 0
/** Requests without a response so far. */
let pending = 0
export const hasRequests = (): boolean => pending > 0

const reporting =
  (fetch: Fetch, report: Report): Fetch =>
  async (url, init) => {
    const { pathname, search } = new URL(url)
    const { waitedMs, onFailure } = sendNext(pathname)
    const request = { id: ++lastId, target: pathname + search, atMs: performance.now(), waitedMs }
    report(request, [])
    pending++
    try {
      const response = await fetch(url, init)
      const { status, headers } = response
      const bytes = Number(headers.get('content-length'))
      report({ ...request, status, bytes }, assumptionsIn(headers.get('x-mock-assumptions')))
      if (status >= 400) onFailure()
      for (const act of afterFirstResponse.splice(0)) act()
      return response
    } catch (error) {
      report({ ...request, status: 'failed' }, [])
      onFailure()
      throw error
    } finally {
      pending--
    }
  }

/** Returns the class for snippets. */
export const createClientClass = (report: Report): typeof GuildLedger =>
  class extends GuildLedger {
    static override readonly name = 'GuildLedger'
    constructor(options: GuildLedgerOptions = {}) {
      const { fetch = (url, init) => globalThis.fetch(url, init) } = options
      super({ ...options, fetch: reporting(fetch, report) })
    }
  }
