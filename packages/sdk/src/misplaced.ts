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
  startDate: 'Unknown parameter `startDate` for one user. Use ledger.transactions.list({ platformId, startDate }).',
  endDate: 'Unknown parameter `endDate` for one user. Use ledger.transactions.list({ platformId, endDate }).',
  platformId: 'Unknown parameter `platformId` for one user: it is the one given to user(platformId).',
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
  if (optionNames.includes(path)) {
    return { ...issue, message: `Unknown parameter \`${path}\`. It is an option: pass it in the second argument.` }
  }
  const elsewhere = isOneUser ? forOneUser[path] : undefined
  return elsewhere === undefined ? issue : { ...issue, message: elsewhere }
}

/** Whether a string is a mention of a user of the chat platform, which has other identifiers than the game platform. */
export const isMention = (value: unknown): boolean => typeof value === 'string' && /^<@[!&]?\d+>$/.test(value)
