import { createSender, type Sender } from './send.ts'
import { checkedProbeOptions } from './options.ts'
import { entriesInOrder } from './entry-order.ts'
import { furtherVerdicts } from './further-verdicts.ts'
import { checkOldest, infer } from './infer.ts'
import type { Inference } from './learn.ts'
import { RequestLimitReached } from './problem.ts'
import { prove, type WrittenFiles } from './proof.ts'
import { createReport } from './create-report.ts'
import type { ProbeOptions, ProbeProof, ProbeReport } from './types.ts'
import { decidedIn, valuesIn, verdictsOf, type Verdict } from './verdicts.ts'

/** A report, and what only the writer of files needs. */
export interface Probed {
  readonly report: ProbeReport
  readonly inference: Inference
}

const ndjson = (entries: readonly object[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** What a mock is started from. */
export const filesOf = (inference: Inference, verdicts: readonly Verdict[]): WrittenFiles => ({
  assumptions: `${JSON.stringify(valuesIn(verdicts), null, 2)}\n`,
  ledger: ndjson(entriesInOrder(inference.tracker.copy, inference.knowledge)),
})

const noProof: ProbeProof = { requests: 0, compared: 0, different: 0 }

/** What is left of the verdicts after a proof: the ledger may have changed unnoticed, so a proof decides nothing more. */
const afterProof = (before: readonly Verdict[], inference: Inference): Verdict[] =>
  verdictsOf(inference).map((verdict, i) => {
    const earlier = before[i]
    return verdict.value !== undefined && earlier && earlier.value === undefined ? earlier : verdict
  })

/** Tests the values. */
const proven = async (inference: Inference, { send }: Sender): Promise<{ proof: ProbeProof; verdicts: Verdict[] }> => {
  const verdicts = verdictsOf(inference)
  let proof = noProof
  if (inference.isCutShort || !inference.isComplete || inference.tracker.hasShrunk) return { proof, verdicts }
  try {
    const values = { decided: decidedIn(verdicts), written: valuesIn(verdicts) }
    proof = await prove(inference, send, values, (current) => filesOf(current, verdicts), Math.random)
    await checkOldest(inference, send)
  } catch (error) {
    // What is known without the proof is still known.
    if (!(error instanceof RequestLimitReached)) throw error
  }
  return { proof, verdicts: afterProof(verdicts, inference) }
}

/** As `probe`, with what only the writer of files needs. */
export const probeWithData = async (given: ProbeOptions): Promise<Probed> => {
  const options = checkedProbeOptions(given)
  const { maxRequests, expected, onProgress } = options
  const started = performance.now()
  let inference: Inference | undefined
  const onRequest = (): void => {
    const space = inference?.knowledge.space
    const decided = [...(space?.domains.values() ?? [])].filter(({ length }) => length === 1).length
    onProgress?.({
      sent: sender.counts.sent,
      limit: maxRequests,
      transactions: inference?.tracker.copy.items.length ?? 0,
      decided,
    })
  }
  const sender = createSender({ ...options, onRequest })
  try {
    inference = await infer(sender.send, {
      expected,
      onStart: (begun) => (inference = begun),
      maxTransactions: options.maxTransactions,
    })
    const { proof, verdicts } = await proven(inference, sender)
    const others = await furtherVerdicts(options, sender, inference, onRequest)
    const seconds = Math.round((performance.now() - started) / 100) / 10
    const requests = { ...sender.counts, limit: maxRequests, seconds }
    return {
      inference,
      report: createReport({ inference, verdicts: [...verdicts, ...others], proof, requests, expected }),
    }
  } finally {
    await sender.close()
  }
}

/**
 * Finds out how a live service behaves where the spec does not say: sends read-only requests, and infers the value of each
 * assumption from the responses.
 *
 * @throws {TypeError} An option is unknown or not allowed; nothing was sent.
 * @throws {ProbeError} The service cannot be reached, is another one, or rejects the key.
 */
export const probe = async (options: ProbeOptions): Promise<ProbeReport> => (await probeWithData(options)).report
