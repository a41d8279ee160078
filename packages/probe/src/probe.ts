import { assumptionDefinitions, type AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { Explorer } from './explore.ts'
import { checkedOptions, type CheckedOptions } from './options.ts'
import { ProbeError, RequestLimitReached } from './problem.ts'
import { checkService } from './read/check.ts'
import { Ledger } from './read/ledger.ts'
import { connect, type RawResponse } from './read/service.ts'
import { findingsOf } from './report/findings.ts'
import { reportOf } from './report/report.ts'
import type { Probed, ProbeOptions, ProbeReport } from './types.ts'
import { accessFindings, rateLimitFindings } from './verify/access.ts'

const maxRequestsPerKey = 10

/** A request with a further key; the reason where there is no response. */
const askWith =
  (options: CheckedOptions, remaining: () => number, count: (sent: number) => void) =>
  async (apiKey: string): Promise<RawResponse | string> => {
    const other = connect({ ...options, apiKey, maxRequests: Math.min(maxRequestsPerKey, remaining()) })
    try {
      return await other.ask({ endpoint: 'guild', query: { limit: '1' } })
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof RequestLimitReached) return 'more requests: raise maxRequests'
      const { cause } = error as Error
      return `another attempt: the request with this key failed (${GuildLedgerError.is(cause) ? cause.code : 'unknown'})`
    } finally {
      count(other.counts.sent)
      await other.close()
    }
  }

/** Requests that are kept for the last look at the ledger: without it, nothing says that the ledger stayed as it was. */
const lastLook = 4

/** As `probe`, with what only the writer of files needs, and at any rate. */
export const probeWithData = async (options: CheckedOptions): Promise<Probed> => {
  const { maxRequests, maxTransactions, onProgress, signal, keys = {} } = options
  const startedAt = new Date()
  const service = connect({
    ...options,
    onRequest() {
      const decided = [...explorer.inference.domains.values()].filter(({ length }) => length === 1).length
      onProgress?.({ sent: service.counts.sent, limit: maxRequests, transactions: ledger.size, decided })
    },
  })
  const ledger = new Ledger(service)
  const explorer = new Explorer(service, ledger)
  try {
    const totals = checkService(await service.ask({ endpoint: 'guild', query: { limit: '1' } }))
    let isCutShort = false
    const untilLimit = async (step: () => Promise<unknown>, unusable?: string): Promise<void> => {
      if (ledger.unusable !== undefined) return
      try {
        await step()
      } catch (error) {
        if (!(error instanceof RequestLimitReached)) throw error
        isCutShort = true
        ledger.unusable = unusable
      }
    }
    const limit = 'the limit of requests was reached before the ledger was'
    await untilLimit(() => ledger.read(maxTransactions, totals), `${limit} read: raise maxRequests`)
    const read = service.counts.sent
    service.counts.limit = maxRequests - lastLook
    await untilLimit(() => explorer.explore())
    service.counts.limit = maxRequests
    if (isCutShort) await untilLimit(() => explorer.checkLedger(), `${limit} read again: raise maxRequests`)
    const remaining = () => maxRequests - service.counts.sent
    const access = await accessFindings(
      keys,
      askWith(options, remaining, (sent) => (service.counts.sent += sent)),
    )
    const all = [...findingsOf(explorer, isCutShort), ...access, ...rateLimitFindings(service.received)]
    const findings = (Object.keys(assumptionDefinitions) as AssumptionKey[]).flatMap(
      (key) => all.find((one) => one.key === key) ?? [],
    )
    return { report: reportOf({ options, explorer, findings, service, startedAt, read }), entries: ledger.entries }
  } catch (error) {
    signal?.throwIfAborted()
    if (GuildLedgerError.is(error) && error.code !== 'configuration')
      throw new ProbeError(error.message, { cause: error })
    throw error
  } finally {
    await service.close()
  }
}

/**
 * Finds out how a live service behaves where the spec does not say: sends read-only requests, and infers the value of each
 * assumption from the responses.
 *
 * @throws {TypeError} An option is unknown or not allowed; nothing was sent.
 * @throws {ProbeError} The service cannot be reached, is another one, or rejects the key.
 */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> =>
  (await probeWithData(checkedOptions(options))).report
