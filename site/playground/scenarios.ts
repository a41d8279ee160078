/** The choices of "Service behaviour". Each is a behaviour that the spec allows. */
import type { Guild, MockLedgerOptions } from '../../packages/mock-server/src/index.ts'

export interface Scenario {
  readonly label: string
  /** Offered only for snippets that match. */
  readonly for?: RegExp
  readonly assumptions?: MockLedgerOptions['assumptions']
  /** Changes a guild before the snippet starts. */
  readonly prepare?: (guild: Guild) => void
  /** Runs after the first response of the ledger. */
  readonly afterFirstResponse?: (guild: Guild) => void
}

const dayMs = 24 * 60 * 60 * 1000

/** From 31 January 2026, the last day of the seeded transactions, to 29 March 2026. */
const toEndOfMarch = 57 * dayMs

export const scenarios: Readonly<Record<string, Scenario>> = {
  none: { label: 'default' },
  users: { label: 'limit counts users, not transactions', assumptions: { pageUnit: 'group' } },
  clamped: { label: 'at most 20 results on a page', assumptions: { maxLimit: 20 } },
  limited: {
    label: 'the first response is a 429, without Retry-After',
    prepare: (guild) => guild.fault({ kind: 'status', status: 429, message: 'Too many requests', times: 1 }),
  },
  shrinking: {
    label: '30 transactions are removed after the first response',
    afterFirstResponse: (guild) => guild.remove(guild.transactions.slice(-30).map((one) => one.transactionId)),
  },
  daylight: {
    label: 'the last day is 29 March 2026, when clocks change',
    for: /calendarDays/,
    prepare(guild) {
      const { transactions } = guild
      guild.remove(transactions.map(({ transactionId }) => transactionId))
      guild.add(
        transactions.map((one) => ({
          ...one,
          createdAt: new Date(Date.parse(one.createdAt) + toEndOfMarch).toISOString(),
        })),
      )
    },
  },
}
