import type { Assumptions } from '../../assumptions/index.ts'
import type { RawResponse } from '../model/observe.ts'
import type { Verdict } from '../verdicts.ts'
import type { Examined } from './examine.ts'
import type { Hypothesis, KeyName } from './hypotheses.ts'
import { headersVerdict, statusVerdict } from './response-verdicts.ts'

const algorithms: readonly Assumptions['rateLimitAlgorithm'][] = ['sliding-window', 'fixed-window', 'token-bucket']
const scopes: readonly Assumptions['rateLimitScope'][] = ['key', 'guild', 'address']
const burstOption = 'requests above the limit: option `burst`'

/** What the requests of a burst cannot tell apart. */
const notExplained = ({ hasLimit }: Examined): string =>
  hasLimit
    ? 'another attempt, with a key that no other program uses meanwhile'
    : 'a limit of 10 requests per second that no other program uses meanwhile'

const confirmation = 'a second attempt, as other programs may have used the limit'
const steadier = 'responses that take equally long: these requests arrived at uncertain times'

const namesOf = (explanations: readonly Hypothesis[]): Assumptions['rateLimitAlgorithm'][] => {
  const found = new Set<string>(explanations.map(({ algorithm }) => algorithm))
  return algorithms.filter((name) => found.has(name))
}

/** Why it is not known how requests are counted; `undefined` if it is. */
const undecidedBecause = (examined: Examined): string | undefined => {
  const { isSettled, lacking, explanations } = examined
  if (isSettled) return undefined
  if (lacking !== undefined) return lacking
  return explanations.length === 0 ? notExplained(examined) : steadier
}

const algorithmVerdict = (examined: Examined): Verdict => {
  const key = 'rateLimitAlgorithm'
  const { explanations, possible, rejected, hasLimit, isSettled } = examined
  const needs = undecidedBecause(examined)
  if (rejected.length === 0) return { key, verdict: 'skipped', candidates: algorithms, needs: needs ?? burstOption }
  if (hasLimit && possible.length === 0 && examined.lacking === undefined) {
    const observed = 'more requests than any value allows were accepted, after as many at the same time as the limit'
    return { key, verdict: 'outside', candidates: [], observed }
  }
  const names = namesOf(isSettled ? explanations : possible)
  const [value] = names
  const isDecided = isSettled && names.length === 1 && value !== undefined
  if (isDecided) return { key, verdict: 'decided', value, candidates: names }
  return {
    key,
    verdict: 'consistent',
    // Both accept the same requests, so a mock with either responds as the service does.
    ...(isSettled && value !== undefined && { value }),
    candidates: names.length === 0 ? algorithms : names,
    needs: needs ?? 'nothing: both accept the same requests',
  }
}

const rejectedCountVerdict = (examined: Examined): Verdict => {
  const key = 'rateLimitedRequestsCount'
  const candidates = [false, true]
  const { explanations, rejected, isSettled } = examined
  const needs = undecidedBecause(examined)
  if (rejected.length === 0) return { key, verdict: 'skipped', candidates, needs: needs ?? burstOption }
  if (!isSettled) return { key, verdict: 'consistent', candidates, needs: needs ?? confirmation }
  const values = [...new Set(explanations.map(({ countsRejected }) => countsRejected))]
  const [value] = values
  return values.length === 1 && value !== undefined
    ? { key, verdict: 'decided', value, candidates: [value] }
    : {
        key,
        verdict: 'unobservable',
        candidates,
        needs: 'nothing: in a fixed window a rejected request changes nothing',
      }
}

/** The further keys that an examination can use, and why it cannot use others. */
export interface FurtherKeys {
  readonly usable: readonly KeyName[]
  readonly problems: Readonly<Partial<Record<KeyName, string>>>
}

const keyNeeds = ({ usable, problems }: FurtherKeys): string | undefined => {
  const lacking = (['sameGuild', 'otherGuild'] as const).filter((name) => !usable.includes(name))
  const given = lacking.flatMap((name) => problems[name] ?? [])
  if (given.length > 0) return given.join('; ')
  const words = { sameGuild: 'another key of the guild', otherGuild: 'a key of another guild' }
  return lacking.length === 0
    ? undefined
    : lacking.map((name) => `${words[name]}: option \`keys.${name}\``).join(', and ')
}

const scopeVerdict = (examined: Examined, keys: FurtherKeys): Verdict => {
  const key = 'rateLimitScope'
  const needs = undecidedBecause(examined) ?? examined.scopeLacking
  if (examined.rejected.length === 0)
    return { key, verdict: 'skipped', candidates: scopes, needs: needs ?? burstOption }
  if (keys.usable.length === 0)
    return { key, verdict: 'skipped', candidates: scopes, needs: keyNeeds(keys) ?? burstOption }
  if (needs !== undefined) return { key, verdict: 'consistent', candidates: scopes, needs }
  const found = scopes.filter((name) => examined.scopes.some(({ scope }) => scope === name))
  const [value] = found
  if (found.length === 1 && value !== undefined) return { key, verdict: 'decided', value, candidates: found }
  return {
    key,
    verdict: 'consistent',
    candidates: found.length === 0 ? scopes : found,
    needs:
      (found.length === 0 ? undefined : keyNeeds(keys)) ??
      'another attempt, with keys that no other program uses meanwhile',
  }
}

const notExamined: Examined = {
  rejected: [],
  isRegular: false,
  hasLimit: false,
  explanations: [],
  possible: [],
  isSettled: false,
  scopes: [],
  lacking: burstOption,
}

/**
 * What responses show about the rate limit, and what no request can show: `accepted` below the limit, `limited` with 429
 * by chance, `examined` above the limit on purpose.
 */
export const rateLimitVerdicts = (
  accepted: readonly RawResponse[],
  limited: readonly RawResponse[],
  examined: Examined = notExamined,
  keys: FurtherKeys = { usable: [], problems: {} },
): Verdict[] => {
  const burst = { rejected: [...limited, ...examined.rejected], isRegular: examined.isRegular }
  const lacking =
    examined === notExamined ? 'a rate-limited response: option `burst`' : (examined.lacking ?? notExplained(examined))
  return [
    algorithmVerdict(examined),
    scopeVerdict(examined, keys),
    statusVerdict(burst, lacking),
    headersVerdict(accepted, burst, lacking),
    rejectedCountVerdict(examined),
    {
      key: 'maxKeysPerGuild',
      verdict: 'unobservable',
      candidates: [],
      needs: 'the dashboard of the service: no request shows it',
    },
  ]
}
