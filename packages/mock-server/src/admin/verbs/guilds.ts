import { checkedSubscription, type Guild } from '../../guild/index.ts'
import { checkedRateLimit } from '../../rate-limit/index.ts'
import { Refused } from '../refused.ts'
import { manyOf, named, type Call, type Field, type Verbs } from '../verb.ts'
import { guildOf } from './guild-of.ts'

// More would keep the server busy for minutes.
const mostSeeded = 1_000_000

const shown = ({ id, subscription, rateLimit, assumptions, keys, transactions }: Guild) => ({
  id,
  subscription,
  rateLimit,
  assumptions,
  keys: keys.length,
  transactions: transactions.length,
})

const create = ({ mock, fields }: Call) => {
  for (const name of ['users', 'transactions']) {
    const count = fields[name]
    if (typeof count === 'number' && count > mostSeeded)
      throw new Refused(400, `${name} must be at most ${mostSeeded}.`)
  }
  const guild = mock.createGuild(fields)
  return { ...shown(guild), apiKey: guild.apiKey }
}

const change = (call: Call) => {
  const guild = guildOf(call)
  const { subscription, rateLimit, assumptions } = call.fields as Partial<Guild>
  // All is looked at before any of it is changed.
  if (subscription !== undefined) checkedSubscription(subscription)
  if (rateLimit !== undefined) checkedRateLimit(rateLimit)
  if (assumptions !== undefined) guild.assume(assumptions)
  if (subscription !== undefined) guild.subscription = subscription
  if (rateLimit !== undefined) guild.rateLimit = rateLimit
  return shown(guild)
}

const changeable: Readonly<Record<string, Field>> = {
  subscription: { is: "The guild's plan.", schema: named('Subscription') },
  rateLimit: {
    is: 'Requests a second, or `off`. Setting it forgets how much was used.',
    schema: named('RateLimit'),
  },
  assumptions: {
    is: 'Readings of what the document leaves open; those not named stay as in the mock.',
    schema: named('AssumptionChanges'),
  },
}

const count = { type: 'integer', minimum: 0, maximum: mostSeeded }

export const guildVerbs: Verbs = {
  '/_mock/guilds': {
    GET: {
      id: 'listGuilds',
      summary: 'All guilds',
      does: ['mock.guilds', 'mock.guild'],
      replies: { is: 'The guilds, oldest first.', schema: manyOf('Guild') },
      run: ({ mock }) => mock.guilds.map(shown),
    },
    POST: {
      id: 'createGuild',
      summary: 'Creates a guild with data, keys, assumptions, failures, rate limit and log of its own',
      does: ['mock.createGuild', 'guild.apiKey'],
      takes: {
        fields: {
          users: { is: 'Users who have transactions; 20 unless given.', schema: count },
          transactions: { is: 'Seeded transactions; none unless given.', schema: count },
          seed: { is: 'Same seed, same rows.', schema: { type: 'integer', minimum: 0 } },
          apiKey: {
            is: "Value of the guild's first key.",
            schema: { type: 'string', pattern: String.raw`^[\x21-\x7e]+$` },
          },
          ...changeable,
        },
        example: { users: 3, transactions: 40, assumptions: { pageUnit: 'group' } },
      },
      replies: { is: 'The guild, and the value of its first key this once.', schema: named('CreatedGuild') },
      run: create,
    },
  },
  '/_mock/guilds/{id}': {
    GET: {
      id: 'getGuild',
      summary: 'A guild',
      does: ['guild.id', 'guild.subscription', 'guild.rateLimit', 'guild.assumptions'],
      replies: { is: 'The guild.', schema: named('Guild') },
      run: (call) => shown(guildOf(call)),
    },
    PATCH: {
      id: 'changeGuild',
      summary: 'Changes subscription, rate limit and assumptions: all that is named, or nothing',
      does: ['guild.subscription', 'guild.rateLimit', 'guild.assume'],
      takes: { fields: changeable, example: { rateLimit: 'off', assumptions: { pageUnit: 'group', maxPage: null } } },
      replies: { is: 'The guild as it is now.', schema: named('Guild') },
      run: change,
    },
  },
}
