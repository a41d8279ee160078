import { any } from '@guild-ledger/validation'
import type { Guild } from '../ledger/guild.ts'
import { guildChecks } from '../ledger/options.ts'
import { checkedFields } from '../type-error.ts'
import { HttpError, guildOf, type AdminRequest } from './route.ts'

export const describeGuild = ({ id, subscription, rateLimit, assumptions, keys, transactions }: Guild) => ({
  id,
  subscription,
  rateLimit,
  assumptions,
  keys: keys.length,
  transactions: transactions.length,
})

const { subscription, rateLimit } = guildChecks
export const changeChecks = { subscription, rateLimit, assumptions: any }

/** Changes a guild as far as fields are given. All are checked before anything changes. */
export const changeGuild = (guild: Guild, given: Partial<Guild>): void => {
  const fields = checkedFields(changeChecks, given, { noun: 'field' })
  guild.assume(fields.assumptions ?? {})
  if (fields.subscription !== undefined) guild.subscription = fields.subscription
  if (fields.rateLimit !== undefined) guild.rateLimit = fields.rateLimit
}

export const updateGuild = (request: AdminRequest) => {
  const guild = guildOf(request)
  changeGuild(guild, request.fields)
  return describeGuild(guild)
}

export const removeGuild = (request: AdminRequest): void => {
  const { mock } = request
  const { id } = guildOf(request)
  if (id === mock.guild.id) {
    throw new HttpError(409, `${id} is the first guild, which stays: reset it with POST /_mock/guilds/${id}/reset.`)
  }
  mock.removeGuild(id)
}
