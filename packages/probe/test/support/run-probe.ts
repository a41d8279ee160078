import { GuildLedger } from '@guild-ledger/sdk'
import { Explorer } from '../../src/explore.ts'
import { checkService } from '../../src/read/check.ts'
import { Ledger } from '../../src/read/ledger.ts'
import { targetOf, type RawResponse, type Service } from '../../src/read/service.ts'
import { RequestLimitReached } from '../../src/problem.ts'
import { findingsOf } from '../../src/report/findings.ts'
import type { Finding } from '../../src/types.ts'
import { verify } from '../../src/verify/verify.ts'
import type { Respond } from './random-service.ts'

/** The outcome of a probe without the network. */
export interface InProcess {
  readonly explorer: Explorer
  readonly findings: readonly Finding[]
  /** Requests that read the ledger, that inferred values, and that tested them. */
  readonly requests: { readonly reading: number; readonly inference: number; readonly verification: number }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Probes a service that is a function. */
export const probeInProcess = async (respond: Respond, limit = 400, maxTransactions = 5000): Promise<InProcess> => {
  let sent = 0
  const send = (target: string) => {
    if (sent >= limit) throw new RequestLimitReached()
    sent++
    return respond(target)
  }
  const client = new GuildLedger({
    apiKey: 'key',
    baseUrl: 'http://localhost',
    throttle: false,
    deduplicate: false,
    validation: 'off',
    retry: { maxRetries: 0 },
    logLevel: 'off',
    fetch: async (url) => {
      const { pathname, search } = new URL(url)
      const { status, body, headers = {} } = send(pathname + search)
      return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
    },
  })
  const service: Service = {
    async ask(request): Promise<RawResponse> {
      const { status, body, headers = {} } = send(targetOf(request))
      return { status, body: jsonOf(body), headers }
    },
    entries: (query, most) => client.transactions.iterate(query, { maxItems: most, concurrency: 1, retryForMs: 0 }),
  }
  const ledger = new Ledger(service)
  const explorer = new Explorer(service, ledger)
  let isCutShort = false
  const untilLimit = async (step: () => Promise<unknown>) => {
    try {
      if (!isCutShort) await step()
    } catch (error) {
      if (!(error instanceof RequestLimitReached)) throw error
      isCutShort = true
    }
  }
  const totals = checkService(await service.ask({ endpoint: 'guild', query: { limit: '1' } }))
  await untilLimit(() => ledger.read(maxTransactions, totals))
  const reading = sent
  await untilLimit(() => explorer.explore())
  const inferred = sent
  const decided = () =>
    new Set(findingsOf(explorer, isCutShort).flatMap(({ key, verdict }) => (verdict === 'decided' ? [key] : [])))
  await untilLimit(() => verify(explorer, decided))
  return {
    explorer,
    findings: findingsOf(explorer, isCutShort),
    requests: { reading, inference: inferred - reading, verification: sent - inferred },
  }
}

/** Values that are decided, and are not those of the service. */
export const wrongIn = (findings: readonly Finding[], truth: Readonly<Record<string, unknown>>): string[] =>
  findings.flatMap(({ key, verdict, value }) =>
    verdict === 'decided' && truth[key] !== value ? [`${key}: decided ${String(value)}, is ${String(truth[key])}`] : [],
  )
