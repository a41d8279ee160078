import type { Issue } from '@guild-ledger/validation'

/** Options of calls, paginators and watches: they belong into the second argument. */
export const optionNames: readonly string[] = [
  'signal',
  'timeoutMs',
  'attemptTimeoutMs',
  'maxRetries',
  'validation',
  'priority',
  'concurrency',
  'onEmpty',
  'onDrift',
  'retryForMs',
  'maxItems',
  'since',
  'intervalMs',
  'overlapMs',
  'onError',
  'follow',
]

/** Where something belongs that one user's list does not take. */
const forOneUser: Readonly<Record<string, string>> = {
  startDate: '. Use ledger.transactions.list({ platformId, startDate }).',
  endDate: '. Use ledger.transactions.list({ platformId, endDate }).',
  platformId: ': it is the one given to user(platformId).',
}

/** Says of something in the wrong place where it belongs. */
export const whereItBelongs = (issue: Issue, isOneUser: boolean): Issue => {
  const { path, message } = issue
  if (isOneUser && path === 'sortBy' && issue.received === '"name"') {
    return {
      ...issue,
      expected: `${issue.expected} for one user (use ledger.transactions.list({ platformId, sortBy: 'name' }))`,
    }
  }
  if (message === undefined) return issue
  const elsewhere = isOneUser ? forOneUser[path] : undefined
  const place = optionNames.includes(path)
    ? '. It is an option: pass it in the second argument.'
    : elsewhere && ` for one user${elsewhere}`
  return place ? { ...issue, message: `Unknown parameter \`${path}\`${place}` } : issue
}

/** Whether a string is a mention of a user of the chat platform, which has other identifiers than the game platform. */
export const isMention = (value: unknown): boolean => typeof value === 'string' && /^<@[!&]?\d+>$/.test(value)
