import { GuildLedgerError } from '@guild-ledger/sdk'
import { accessVerdicts, type KeyOutcome } from './access.ts'
import { requestOf, type Parameters } from './candidate.ts'
import type { Inference } from './learn.ts'
import type { CheckedProbeOptions } from './options.ts'
import { ProbeError, RequestLimitReached } from './problem.ts'
import { checkKeys } from './rate-limit/check-key.ts'
import { examine } from './rate-limit/examine.ts'
import { createBurstSend } from './rate-limit/send-burst.ts'
import { processClock } from './rate-limit/send-round.ts'
import { rateLimitVerdicts } from './rate-limit/verdicts.ts'
import { createSender, type Sender } from './send.ts'
import type { Verdict } from './verdicts.ts'

const maxRequestsPerKey = 10
const oldest: Parameters = { sortBy: 'createdAt', sortOrder: 'asc', limit: 1 }

/** Why a further key showed nothing. What the service sent is left out: it may identify somebody. */
const failureOf = (error: unknown): string => {
  if (error instanceof RequestLimitReached) return 'more requests: raise `maxRequests`'
  const reason = error instanceof ProbeError ? error.cause : error
  const code = reason instanceof GuildLedgerError ? reason.code : 'unknown'
  return `another attempt: the request with this key failed (${code})`
}

/** Verdicts that need further keys, or rate-limited responses. */
export const furtherVerdicts = async (
  options: CheckedProbeOptions,
  { counts, limited }: Sender,
  { knowledge, tracker }: Inference,
  onRequest: () => void,
): Promise<Verdict[]> => {
  const { baseUrl, apiKey, keys = {}, burst, fetch = globalThis.fetch, requestsPerSecond, signal } = options
  const remaining = (): number => options.maxRequests - counts.sent
  const sendWith =
    (parameters: Parameters) =>
    async (key: string): Promise<KeyOutcome> => {
      let other: Sender | undefined
      try {
        const maxRequests = Math.min(maxRequestsPerKey, remaining())
        other = createSender({ apiKey: key, baseUrl, fetch, maxRequests, requestsPerSecond, signal })
        return await other.send(requestOf(null, parameters))
      } catch (error) {
        signal?.throwIfAborted()
        return { failure: failureOf(error) }
      } finally {
        counts.sent += other?.counts.sent ?? 0
        await other?.close()
      }
    }
  const access = await accessVerdicts(keys, sendWith({ limit: 1 }))
  const accepted = knowledge.evidence.map(({ response }) => response)
  if (!burst) return [...access, ...rateLimitVerdicts(accepted, limited)]
  const further = await checkKeys(keys, tracker.copy, sendWith(oldest))
  const send = createBurstSend({
    baseUrl,
    keys: { own: apiKey, sameGuild: keys.sameGuild, otherGuild: keys.otherGuild },
    fetch,
    signal,
    onRequest() {
      counts.sent++
      onRequest()
    },
  })
  const examined = await examine({ send, clock: processClock, signal, keys: further.usable, remaining })
  return [...access, ...rateLimitVerdicts(accepted, limited, examined, further)]
}
