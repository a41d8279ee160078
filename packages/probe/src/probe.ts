import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { GuildLedgerError } from '@guild-ledger/sdk'
import { Explorer } from './explore.ts'
import { checkedOptions } from './options.ts'
import { ProbeError, RequestLimitReached } from './problem.ts'
import { checkService } from './read/check.ts'
import { Ledger } from './read/ledger.ts'
import { connect } from './read/service.ts'
import { findingsOf } from './report/findings.ts'
import { reportOf } from './report/report.ts'
import type { CheckedOptions, Probed, ProbeOptions, ProbeReport } from './types.ts'
import { accessFindings, rateLimitFindings } from './report/access.ts'

/** Requests that are kept for the last look at the ledger: without it, nothing says that the ledger stayed as it was. */
const lastLook = 4

/** As `probe`, with what only the writer of files needs, and at any rate. */
export const probeWithData = async (options: CheckedOptions): Promise<Probed> => {
  const { maxRequests, maxTransactions, onProgress, signal, expected } = options
  const startedAt = new Date()
  const service = connect(options, () => {
    const decided = [...explorer.inference.domains.values()].filter(({ length }) => length === 1).length
    onProgress?.({ sent: service.counts.sent, limit: maxRequests, transactions: ledger.size, decided })
  })
  const ledger = new Ledger(service)
  const explorer = new Explorer(service, ledger, new Set(Object.keys(expected?.assumptions ?? {}) as AssumptionKey[]))
  try {
    const totals = checkService(await service.ask({ endpoint: 'guild', query: { limit: '1' } }))
    /** What a step returns; `undefined` if it cannot be done, or the limit of requests is reached before. */
    const untilLimit = async <Result>(step: () => Promise<Result>, unusable?: string): Promise<Result | undefined> => {
      if (ledger.unusable !== undefined) return undefined
      try {
        return await step()
      } catch (error) {
        if (!(error instanceof RequestLimitReached)) throw error
        ledger.unusable = unusable
        return undefined
      }
    }
    const limit = 'the limit of requests was reached before the ledger was'
    await untilLimit(() => ledger.read(maxTransactions, totals), `${limit} read: raise maxRequests`)
    const reading = service.counts.sent
    service.counts.limit = maxRequests - lastLook
    let isWhole: boolean | undefined
    do isWhole = await untilLimit(() => explorer.explore())
    while (await untilLimit(() => explorer.askAgain()))
    service.counts.limit = maxRequests
    await untilLimit(() => explorer.checkLedger(), `${limit} read again: raise maxRequests`)
    const access = await accessFindings(options, service)
    const findings = [...findingsOf(explorer, !isWhole), ...access, ...rateLimitFindings(service.received)]
    const [{ sent, rateLimited }, verification] = [service.counts, explorer.verifications]
    const inference = sent - reading - verification
    const requests = { sent, limit: maxRequests, reading, inference, verification, rateLimited }
    return { report: reportOf(options, explorer, findings, requests, startedAt), entries: ledger.entries }
  } catch (error) {
    signal?.throwIfAborted()
    if (!GuildLedgerError.is(error) || error.code === 'configuration') throw error
    throw new ProbeError(error.message, { cause: error })
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
