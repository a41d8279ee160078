import type { Verbs } from '../verb.ts'
import { descriptionVerbs } from './descriptions.ts'
import { guildVerbs } from './guilds.ts'
import { keyVerbs } from './keys.ts'
import { requestVerbs } from './requests.ts'
import { transactionVerbs } from './transactions.ts'
import { worldVerbs } from './world.ts'

/** Every verb: requests are routed by this table, and `admin.openapi.json` is made from it. */
export const verbs: Verbs = {
  ...guildVerbs,
  ...keyVerbs,
  ...transactionVerbs,
  ...requestVerbs,
  ...descriptionVerbs,
  ...worldVerbs,
}
