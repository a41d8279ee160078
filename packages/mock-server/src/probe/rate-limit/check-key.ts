import type { KeyOutcome } from '../access.ts'
import type { LedgerCopy } from '../model/ledger-copy.ts'
import { groupsIn } from '../model/observe.ts'
import type { ProbeKeys } from '../types.ts'
import type { FurtherKeys } from './verdicts.ts'

const names = ['sameGuild', 'otherGuild'] as const

/** Why a key is not what it should be; `undefined` if it is. The response is to a request for the oldest transaction. */
const problemOf = (name: (typeof names)[number], outcome: KeyOutcome, { byId }: LedgerCopy): string | undefined => {
  const option = `option \`keys.${name}\``
  if ('failure' in outcome) return `${outcome.failure}, ${option}`
  const { status, body } = outcome
  if (status !== 200 && status !== 404) return `a key that the service accepts: ${option}, got ${status}`
  if (byId.size === 0) return 'a ledger with transactions: without, the guild of a key is not known'
  const found = status === 200 ? (groupsIn(body) ?? []).flat() : []
  const isKnown = found.some(({ transactionId }) => byId.has(transactionId))
  if (name === 'sameGuild' && !isKnown) return `a key of the same guild: ${option} has another ledger`
  if (name === 'otherGuild' && isKnown) return `a key of another guild: ${option} has the same ledger`
  return undefined
}

/** Sends one request with each further key: one of another guild than the option says would show a wrong scope. */
export const checkKeys = async (
  keys: ProbeKeys,
  copy: LedgerCopy,
  sendWith: (apiKey: string) => Promise<KeyOutcome>,
): Promise<FurtherKeys> => {
  const usable: (typeof names)[number][] = []
  const problems: Partial<Record<(typeof names)[number], string>> = {}
  for (const name of names) {
    const apiKey = keys[name]
    if (apiKey === undefined) continue
    const problem = problemOf(name, await sendWith(apiKey), copy)
    if (problem === undefined) usable.push(name)
    else problems[name] = problem
  }
  return { usable, problems }
}
