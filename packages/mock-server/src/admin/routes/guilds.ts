import { checkedSubscription, maxSeeded, type Guild } from '../../ledger/index.ts'
import { checkedRateLimit } from '../../rate-limit/index.ts'
import { HttpError } from '../http-error.ts'
import { arrayOf, schemaRef, type AdminRequest, type AdminRoutes, type Field } from '../route.ts'
import { findGuild } from './find-guild.ts'

const describeGuild = ({ id, subscription, rateLimit, assumptions, keys, transactions }: Guild) => ({
  id,
  subscription,
  rateLimit,
  assumptions,
  keys: keys.length,
  transactions: transactions.length,
})

const createGuild = ({ mock, fields }: AdminRequest) => {
  const guild = mock.createGuild(fields)
  return { ...describeGuild(guild), apiKey: guild.apiKey }
}

const updateGuild = (request: AdminRequest) => {
  const guild = findGuild(request)
  const { subscription, rateLimit, assumptions } = request.fields as Partial<Guild>
  // Everything is validated before anything changes.
  if (subscription !== undefined) checkedSubscription(subscription)
  if (rateLimit !== undefined) checkedRateLimit(rateLimit)
  if (assumptions !== undefined) guild.assume(assumptions)
  if (subscription !== undefined) guild.subscription = subscription
  if (rateLimit !== undefined) guild.rateLimit = rateLimit
  return describeGuild(guild)
}

const removeGuild = (request: AdminRequest): void => {
  const { mock } = request
  const { id } = findGuild(request)
  if (id === mock.guild.id) {
    throw new HttpError(409, `${id} is the first guild, which stays: reset it with POST /_mock/guilds/${id}/reset.`)
  }
  mock.removeGuild(id)
}

const updatableFields: Readonly<Record<string, Field>> = {
  subscription: { description: 'Subscription plan of the guild.', schema: schemaRef('Subscription') },
  rateLimit: {
    description: 'Requests per second, or `off`. Setting it clears the usage so far.',
    schema: schemaRef('RateLimit'),
  },
  assumptions: {
    description: 'Values of assumptions for this guild. Those not named keep their value.',
    schema: schemaRef('AssumptionChanges'),
  },
}

const count = { type: 'integer', minimum: 0, maximum: maxSeeded }

export const guildRoutes: AdminRoutes = {
  '/_mock/guilds': {
    GET: {
      operationId: 'listGuilds',
      summary: 'Lists all guilds',
      covers: ['mock.guilds', 'mock.guild'],
      response: { description: 'The guilds, oldest first.', schema: arrayOf('Guild') },
      run: ({ mock }) => mock.guilds.map(describeGuild),
    },
    POST: {
      operationId: 'createGuild',
      summary: 'Creates a guild with its own data, keys, assumptions, faults, rate limit and log',
      covers: ['mock.createGuild', 'guild.apiKey'],
      requestBody: {
        fields: {
          users: { description: 'Number of users with transactions. Default: 20.', schema: count },
          transactions: { description: 'Number of seeded transactions. Default: 0.', schema: count },
          seed: {
            description: 'Seed of the transactions: the same seed gives the same transactions.',
            schema: { type: 'integer', minimum: 0 },
          },
          apiKey: {
            description: 'Value of the first key of the guild.',
            schema: { type: 'string', pattern: String.raw`^[\x21-\x7e]+$` },
          },
          ...updatableFields,
        },
        example: { users: 3, transactions: 40, assumptions: { pageUnit: 'group' } },
      },
      response: {
        description: 'The guild, with the value of its first key. The value is shown only here.',
        schema: schemaRef('CreatedGuild'),
      },
      creates: true,
      run: createGuild,
    },
  },
  '/_mock/guilds/{id}': {
    GET: {
      operationId: 'getGuild',
      summary: 'Returns a guild',
      covers: ['guild.id', 'guild.subscription', 'guild.rateLimit', 'guild.assumptions'],
      response: { description: 'The guild.', schema: schemaRef('Guild') },
      run: (request) => describeGuild(findGuild(request)),
    },
    PATCH: {
      operationId: 'updateGuild',
      summary: 'Changes subscription, rate limit and assumptions of a guild; if one value is invalid, none changes',
      covers: ['guild.subscription', 'guild.rateLimit', 'guild.assume'],
      requestBody: {
        fields: updatableFields,
        example: { rateLimit: 'off', assumptions: { pageUnit: 'group', maxPage: null } },
      },
      response: { description: 'The updated guild.', schema: schemaRef('Guild') },
      run: updateGuild,
    },
    DELETE: {
      operationId: 'removeGuild',
      summary: 'Removes a guild that was created later; its keys are invalid from then on',
      covers: ['mock.removeGuild'],
      conflict: 'It is the first guild, which stays.',
      run: removeGuild,
    },
  },
  '/_mock/guilds/{id}/reset': {
    POST: {
      operationId: 'resetGuild',
      summary: 'Resets one guild to its initial state; the other guilds and the clock stay as they are',
      covers: ['guild.reset'],
      run: (request) => findGuild(request).reset(),
    },
  },
}
