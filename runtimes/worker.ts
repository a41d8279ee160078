/** Runs the conformance checks in workerd. The request body contains the addresses. */
import { createThrottle, GuildLedger, type Throttle } from '@guild-ledger/sdk'
import { conformance, type Addresses } from './conformance.ts'

/** The context of an event. */
interface EventContext {
  waitUntil(work: Promise<unknown>): void
}

interface Shared {
  readonly throttle: Throttle
  readonly ledger: GuildLedger
}

/** In module scope: all events share the client, and its throttle. */
let shared: Shared | undefined

const createShared = ({ mock: baseUrl, apiKey }: Addresses): Shared => {
  const throttle = createThrottle()
  return { throttle, ledger: new GuildLedger({ apiKey, baseUrl, throttle, retry: false, logLevel: 'off' }) }
}

const list = ({ ledger }: Shared): Promise<string> =>
  ledger.transactions.list({ limit: 1 }).then(
    () => 'ok',
    (error: unknown) => String(error),
  )

/** What an event does, by the path of its request. */
const events: Record<string, (addresses: Addresses, context: EventContext) => Promise<unknown>> = {
  '/': conformance,
  /** Waits for its turn. */
  '/list': async (addresses) => list((shared ??= createShared(addresses))),
  /** Ends while ten calls wait: the runtime ends them with it. */
  '/leave': async (addresses) => {
    const own = (shared ??= createShared(addresses))
    for (let i = 0; i < 10; i++) void list(own)
    return own.throttle.stats
  },
  /** Gives a request up, whose response comes after 600 ms, and keeps the event alive for a second. */
  '/give-up': async (addresses, context) => {
    const { throttle } = (shared = createShared({ ...addresses, mock: `${addresses.faulty}/slow` }))
    const outcome = await shared.ledger.transactions
      .list({}, { timeoutMs: 200 })
      .catch((error: unknown) => String(error))
    context.waitUntil(new Promise((resolve) => setTimeout(resolve, 1000)))
    return [outcome, throttle.stats.givenUp]
  },
  '/given-up': async () => shared?.throttle.stats.givenUp,
}

export default {
  fetch: async (request: Request, _env: unknown, context: EventContext): Promise<Response> => {
    const event = events[new URL(request.url).pathname]
    try {
      return Response.json((await event?.((await request.json()) as Addresses, context)) ?? null)
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
