import { element, find, updateList } from './elements.ts'
import type { ClockBody, GuildBody } from './responses.ts'

/** The section "Overview", with the selection of a guild. */
export interface Overview {
  /**
   * Returns the selected guild, or the first one.
   *
   * @throws {TypeError} There is no guild.
   */
  readonly selected: (guilds: readonly GuildBody[]) => GuildBody
  /** Selects a guild, which is shown from the next `show` on. */
  readonly select: (id: string) => void
  show(guilds: readonly GuildBody[], guild: GuildBody, clock: ClockBody | undefined): void
}

const formatTime = ({ now, frozen }: ClockBody): string => `${now.slice(11, 19)}${frozen ? ', stopped' : ''}`

const factsOf = (guild: GuildBody, clock: ClockBody | undefined): [name: string, value: string][] => [
  ['Guild', guild.id],
  ['Transactions', guild.transactions.toLocaleString('en')],
  ['Keys', guild.keys.toLocaleString('en')],
  ['Rate limit', guild.rateLimit === 'off' ? 'off' : `${guild.rateLimit} per second`],
  ['Subscription', guild.subscription],
  ...(clock ? [[`Clock, UTC, ${clock.now.slice(0, 10)}`, formatTime(clock)] as [string, string]] : []),
]

/** Sets up the section "Overview". `onChange` is called when another guild is selected. */
export const createOverview = (onChange: () => void): Overview => {
  const select = find('guild', HTMLSelectElement)
  let chosen = ''
  select.addEventListener('change', () => {
    chosen = select.value
    onChange()
  })
  return {
    selected(guilds) {
      const guild = guilds.find(({ id }) => id === chosen) ?? guilds[0]
      if (guild) return guild
      throw new TypeError('This mock server has no guild.')
    },
    select(id) {
      chosen = id
    },
    show(guilds, guild, clock) {
      updateList(
        select,
        guilds,
        ({ id }) => id,
        ({ id }) => element('option', { value: id }, id),
      )
      select.value = guild.id
      find('guild-choice', HTMLElement).hidden = guilds.length < 2
      updateList(
        find('facts', HTMLElement),
        factsOf(guild, clock),
        (fact) => fact.join(),
        ([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)),
      )
    },
  }
}
