import { element, fill, find } from './elements.ts'
import type { ClockReply, GuildReply } from './replies.ts'

/** What is running, and which guild of it is looked at. */
export interface Overview {
  /**
   * The guild chosen, or the first one.
   *
   * @throws {TypeError} There is none at all.
   */
  readonly chosen: (guilds: readonly GuildReply[]) => GuildReply
  show(guilds: readonly GuildReply[], guild: GuildReply, clock: ClockReply | undefined): void
}

const timeOf = ({ now, frozen }: ClockReply): string => `${now.slice(11, 19)}${frozen ? ', stopped' : ''}`

const factsOf = (guild: GuildReply, clock: ClockReply | undefined): [name: string, value: string][] => [
  ['Guild', guild.id],
  ['Transactions', guild.transactions.toLocaleString('en')],
  ['Keys', guild.keys.toLocaleString('en')],
  ['Rate limit', guild.rateLimit === 'off' ? 'off' : `${guild.rateLimit} a second`],
  ['Subscription', guild.subscription],
  ...(clock ? [[`Clock, UTC, ${clock.now.slice(0, 10)}`, timeOf(clock)] as [string, string]] : []),
]

/** Makes the section "What is running" work. */
export const createOverview = (changed: () => void): Overview => {
  const select = find('guild', HTMLSelectElement)
  select.addEventListener('change', changed)
  return {
    chosen(guilds) {
      const guild = guilds.find(({ id }) => id === select.value) ?? guilds[0]
      if (guild) return guild
      throw new TypeError('This mock has no guild.')
    },
    show(guilds, guild, clock) {
      fill(
        select,
        guilds,
        ({ id }) => id,
        ({ id }) => element('option', { value: id }, id),
      )
      select.value = guild.id
      find('guild-choice', HTMLElement).hidden = guilds.length < 2
      fill(
        find('facts', HTMLElement),
        factsOf(guild, clock),
        (fact) => fact.join(),
        ([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)),
      )
    },
  }
}
