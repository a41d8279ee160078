import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { expect, it } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

/** How many requests a call sends whose responses have these statuses, the last one again and again. */
const sentFor = async (statuses: readonly number[], options: GuildLedgerOptions): Promise<number> => {
  let sent = 0
  const ledger = new GuildLedger({
    apiKey: 'k',
    baseUrl: 'https://ledger.test',
    throttle: stubThrottle().throttle,
    logLevel: 'off',
    fetch: async () => {
      const status = statuses[Math.min(sent, statuses.length - 1)] ?? 200
      sent++
      return Response.json({}, { status })
    },
    ...options,
    retry: options.retry === false ? false : { baseDelayMs: 0, ...options.retry },
  })
  await ledger.transactions.list().catch(() => {})
  return sent
}

it.each([
  ['a 429 is retried 10 times', [429], {}, 11],
  ['other failures are retried twice, whatever 429s come between', [429, 503, 429, 503, 429, 503], {}, 6],
  ['maxRateLimitRetries limits the retries after a 429', [429], { retry: { maxRateLimitRetries: 3 } }, 4],
  ['maxRateLimitRetries: 0 retries no 429', [429], { retry: { maxRateLimitRetries: 0 } }, 1],
  ['retry: false retries nothing', [429], { retry: false }, 1],
  ['maxRetries: 0 retries nothing', [429], { retry: { maxRetries: 0 } }, 1],
  ['without a throttle a 429 counts as any other failure', [429], { throttle: false }, 3],
] as const)('%s', async (_title, statuses, options, expected) => {
  expect(await sentFor(statuses, options)).toBe(expected)
})

it('logs retries after a 429 by their own count', async () => {
  const logged: string[] = []
  const note = (message: string) => {
    if (message.includes('retrying')) logged.push(message.replace(/^.*\((.*?)\).*$/, '$1'))
  }

  await sentFor([429, 429, 503, 429, 404], {
    logLevel: 'info',
    logger: { debug: note, info: note, warn: note, error: note },
  })

  expect(logged).toEqual([
    'retry 1 of 10 after a rate limit',
    'retry 2 of 10 after a rate limit',
    'attempt 2 of 3',
    'retry 3 of 10 after a rate limit',
  ])
})
