import { setImmediate } from 'node:timers/promises'
import type { Fetch } from '@guild-ledger/sdk'
import { probeWithData } from '../../src/probe.ts'
import type { CheckedOptions, Finding, Probed, ProbeReport } from '../../src/types.ts'
import type { Respond } from './random-service.ts'

/** Sends requests to a function. */
const fetchFrom =
  (respond: Respond): Fetch =>
  async (url) => {
    // Otherwise no task ends, and memory that weak references keep until then is not freed.
    await setImmediate()
    const { pathname, search } = new URL(url)
    const { status, body, headers = {} } = respond(pathname + search)
    return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
  }

/** Options for a service that is a function: no request waits for its turn. */
export const optionsFor = (respond: Respond): CheckedOptions => ({
  apiKey: 'a-key-of-the-service',
  baseUrl: 'https://ledger.example',
  fetch: fetchFrom(respond),
  maxRequests: 400,
  maxTransactions: 5000,
  requestsPerSecond: 5000,
})

/** Probes a service that is a function. */
export const probedFunction = (respond: Respond, options: Partial<CheckedOptions> = {}): Promise<Probed> =>
  probeWithData({ ...optionsFor(respond), ...options })

/** The report of a probe of a service that is a function. */
export const probeFunction = async (...args: Parameters<typeof probedFunction>): Promise<ProbeReport> =>
  (await probedFunction(...args)).report

/** Values that are decided, and are not those of the service. */
export const wrongIn = (findings: readonly Finding[], truth: Readonly<Record<string, unknown>>): string[] =>
  findings.flatMap(({ key, verdict, value }) =>
    verdict === 'decided' && truth[key] !== value ? [`${key}: decided ${String(value)}, is ${String(truth[key])}`] : [],
  )
