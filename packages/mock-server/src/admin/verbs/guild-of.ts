import { inWords } from '@guild-ledger/sdk/contract'
import type { Guild } from '../../guild/index.ts'
import { Refused } from '../refused.ts'
import type { Call } from '../verb.ts'

/**
 * The guild in the path.
 *
 * @throws {Refused} There is none.
 */
export const guildOf = ({ mock, ids: [id] }: Call): Guild => {
  const guild = mock.guilds.find((one) => one.id === id)
  if (guild) return guild
  throw new Refused(404, `There is no guild ${inWords(id)}: see GET /_mock/guilds.`)
}
