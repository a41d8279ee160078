import { checkedSubscription } from '../ledger/options.ts'
import type { Guild } from '../ledger/guild.ts'
import { checkedRateLimit } from '../rate-limit/rate-limit.ts'
import { HttpError } from './http-error.ts'
import { guildOf, type AdminRequest } from './route.ts'

export const describeGuild = ({ id, subscription, rateLimit, assumptions, keys, transactions }: Guild) => ({
  id,
  subscription,
  rateLimit,
  assumptions,
  keys: keys.length,
  transactions: transactions.length,
})

export const updateGuild = (request: AdminRequest) => {
  const guild = guildOf(request)
  const { subscription, rateLimit, assumptions } = request.fields
  // Everything is validated before anything changes.
  if (subscription !== undefined) checkedSubscription(subscription)
  if (rateLimit !== undefined) checkedRateLimit(rateLimit)
  if (assumptions !== undefined) guild.assume(assumptions)
  if (subscription !== undefined) guild.subscription = subscription
  if (rateLimit !== undefined) guild.rateLimit = rateLimit
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
