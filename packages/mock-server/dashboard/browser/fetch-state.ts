import type { AssumptionDefinition } from '../../src/assumptions/definition.ts'
import type { ScriptedFault } from '../../src/faults/faults.ts'
import type { ClientAudit } from '../../src/request-log/audit.ts'
import type { LoggedRequest } from '../../src/request-log/request-log.ts'
import type { ApiKey } from '../../src/store/keys.ts'
import { ResponseError, type Api } from './api.ts'
import { guildPath, type ClockBody, type GuildBody } from './responses.ts'

/** Everything the dashboard shows, at one moment. */
export interface State {
  readonly assumptions: Readonly<Record<string, AssumptionDefinition>>
  readonly guilds: readonly GuildBody[]
  /** The selected guild. */
  readonly guild: GuildBody
  /** Undefined where the admin API has no clock. */
  readonly clock: ClockBody | undefined
  readonly keys: readonly ApiKey[]
  readonly audit: readonly ClientAudit[]
  readonly faults: readonly ScriptedFault[]
  readonly requests: readonly LoggedRequest[]
}

type SelectGuild = (guilds: readonly GuildBody[]) => GuildBody

/** Creates a function that fetches the state. What never changes is fetched once. */
export const createFetchState = (api: Api): ((selectGuild: SelectGuild) => Promise<State>) => {
  let assumptions: State['assumptions'] | undefined
  let hasClock = true
  const fetchClock = async (): Promise<ClockBody | undefined> => {
    try {
      return hasClock ? ((await api.request('clock')) as ClockBody) : undefined
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 409) throw error
      hasClock = false
      return undefined
    }
  }
  return async (selectGuild) => {
    assumptions ??= (await api.request('assumptions')) as State['assumptions']
    const guilds = (await api.request('guilds')) as GuildBody[]
    const guild = selectGuild(guilds)
    const path = guildPath(guild.id)
    const [clock, keys, audit, faults, requests] = await Promise.all([
      fetchClock(),
      api.request(`${path}/keys`) as Promise<ApiKey[]>,
      api.request(`${path}/audit`) as Promise<ClientAudit[]>,
      api.request(`${path}/faults`) as Promise<ScriptedFault[]>,
      api.request('requests') as Promise<LoggedRequest[]>,
    ])
    return { assumptions, guilds, guild, clock, keys, audit, faults, requests }
  }
}
