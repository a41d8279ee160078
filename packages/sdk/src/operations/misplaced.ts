import { otherNames, type Issue } from '@guild-ledger/validation'

/** Options of calls, paginators and watches: they belong into the second argument. */
export const optionNames: readonly string[] = (
  'signal timeoutMs attemptTimeoutMs maxRetries validation priority concurrency onEmpty onDrift retryForMs maxItems ' +
  'since intervalMs overlapMs onError onPoll follow'
).split(' ')

const onListAll = (parameter: string): string => `ledger.transactions.list({ platformId, ${parameter} })`

/** Where something belongs that one user's list does not take. */
const forOneUser: Readonly<Record<string, string>> = {
  startDate: `. Use ${onListAll('startDate')}.`,
  endDate: `. Use ${onListAll('endDate')}.`,
  platformId: ': it is the one given to user(platformId).',
}

/** Says of something in the wrong place where it belongs. */
export const whereItBelongs = (issue: Issue, isOneUser: boolean): Issue => {
  const { path, message } = issue
  if (isOneUser && path === 'sortBy' && issue.received === '"name"') {
    return { ...issue, expected: `${issue.expected} for one user (use ${onListAll("sortBy: 'name'")})` }
  }
  if (message === undefined) return issue
  const name = otherNames[path] ?? path
  const elsewhere = isOneUser && forOneUser[name]
  const place = optionNames.includes(name)
    ? '. It is an option: pass it in the second argument.'
    : elsewhere && ` for one user${elsewhere}`
  return place ? { ...issue, message: `Unknown parameter \`${path}\`${place}` } : issue
}

/** What to pass in place of a string that is hardly the identifier of a user; undefined if it may be one. */
export const expectedUser = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  if (/^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(value)) return 'a user identifier without white space at its ends'
  const isMention = /^<@[!&]?\d+>$/.test(value)
  return isMention ? "the user's identifier on the game platform, not a mention on the chat platform" : undefined
}
