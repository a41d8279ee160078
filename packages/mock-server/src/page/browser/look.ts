import type { AssumptionRow } from '../../assumptions/index.ts'
import type { Conduct, LoggedRequest } from '../../request-log/index.ts'
import type { ApiKey } from '../../store/index.ts'
import { Refusal, type Api } from './api.ts'
import { pathOf, type ClockReply, type GuildReply } from './replies.ts'

/** All there is to show at one moment. */
export interface Seen {
  readonly rows: Readonly<Record<string, AssumptionRow>>
  readonly guilds: readonly GuildReply[]
  /** The one that is looked at. */
  readonly guild: GuildReply
  /** Not there where the mock has a clock of its own. */
  readonly clock: ClockReply | undefined
  readonly keys: readonly ApiKey[]
  readonly conduct: readonly Conduct[]
  readonly requests: readonly LoggedRequest[]
}

type Choose = (guilds: readonly GuildReply[]) => GuildReply

/** Looks at the mock; what never changes is asked for once. */
export const createLook = (api: Api): ((choose: Choose) => Promise<Seen>) => {
  let rows: Seen['rows'] | undefined
  let hasClock = true
  const clockNow = async (): Promise<ClockReply | undefined> => {
    try {
      return hasClock ? ((await api.ask('clock')) as ClockReply) : undefined
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error
      hasClock = false
      return undefined
    }
  }
  return async (choose) => {
    rows ??= (await api.ask('assumptions')) as Seen['rows']
    const guilds = (await api.ask('guilds')) as GuildReply[]
    const guild = choose(guilds)
    const path = pathOf(guild.id)
    const [clock, keys, conduct, requests] = await Promise.all([
      clockNow(),
      api.ask(`${path}/keys`) as Promise<ApiKey[]>,
      api.ask(`${path}/conduct`) as Promise<Conduct[]>,
      api.ask('requests') as Promise<LoggedRequest[]>,
    ])
    return { rows, guilds, guild, clock, keys, conduct, requests }
  }
}
