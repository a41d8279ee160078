import { describeValue } from '@guild-ledger/validation'
import type { Guild } from '../../ledger/index.ts'
import { HttpError } from '../http-error.ts'
import type { AdminRequest } from '../route.ts'

/**
 * Finds the guild that the path names.
 *
 * @throws {HttpError} 404.
 */
export const findGuild = ({ mock, pathParameters: [id] }: AdminRequest): Guild => {
  const guild = mock.guilds.find((one) => one.id === id)
  if (guild) return guild
  throw new HttpError(404, `There is no guild ${describeValue(id)}: see GET /_mock/guilds.`)
}
