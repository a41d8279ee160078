import { array, object, within, type Check } from '@guild-ledger/validation'
import type { Fault, Guild, KeyDetails, MockLedger, StubResponse } from '../index.ts'
import { changeChecks, changeGuild } from '../admin/guild-routes.ts'
import { guildChecks } from '../ledger/options.ts'
import { checkedFields, checkedValue } from '../type-error.ts'

/** A guild that a set-up file created or changed, with the values of its keys; the mock shows these only once. */
export interface SetUpGuild {
  readonly id: string
  readonly apiKey: string
  readonly keys: readonly { readonly id: string; readonly name: string; readonly value: string }[]
}

type Fields = Readonly<Record<string, unknown>>

const setUpChecks: Record<string, Check> = { guild: object, guilds: array, unboundKeys: array, stubs: array }
const extras: Record<string, Check> = { keys: array, faults: array }
const naming = { noun: 'field', label: 'it' }

const each = <Result>(path: string, items: unknown, step: (item: Fields) => Result): Result[] =>
  ((items ?? []) as unknown[]).map((item, i) =>
    within(`${path}[${i}]`, () => {
      checkedValue(object, 'it', item)
      return step(item as Fields)
    }),
  )

const pickKey = ({ id, name, value }: SetUpGuild['keys'][number]) => ({ id, name, value })

const addExtras = (guild: Guild, { keys, faults }: Fields): SetUpGuild => {
  const created = each('keys', keys, (key) => guild.createKey(key as unknown as KeyDetails))
  each('faults', faults, (fault) => guild.fault(fault as unknown as Fault))
  return { id: guild.id, apiKey: guild.apiKey, keys: created.map(pickKey) }
}

const changeFirstGuild = (guild: Guild, given: Fields): SetUpGuild => {
  const { keys, faults, ...changes } = checkedFields({ ...changeChecks, ...extras }, given, naming)
  changeGuild(guild, changes)
  return addExtras(guild, { keys, faults })
}

const createGuild = (mock: MockLedger, given: Fields): SetUpGuild => {
  const { keys, faults, ...options } = checkedFields({ ...guildChecks, ...extras }, given, naming)
  return addExtras(mock.createGuild(options), { keys, faults })
}

/** Gives a mock the guilds, keys, faults and stubs of a set-up file. */
export const applySetUp = (mock: MockLedger, content: unknown): SetUpGuild[] => {
  const ofFile = { noun: 'field', label: 'the set-up', expected: 'an object such as { "guild": { "keys": [] } }' }
  const { guild = {}, guilds, unboundKeys, stubs } = checkedFields(setUpChecks, content as Fields, ofFile)
  const first = within('guild', () => changeFirstGuild(mock.guild, guild as Fields))
  const others = each('guilds', guilds, (given) => createGuild(mock, given))
  each('unboundKeys', unboundKeys, (key) => mock.createUnboundKey(key as unknown as KeyDetails))
  each('stubs', stubs, ({ path, ...response }) => mock.stub(path as string, response as StubResponse))
  return [first, ...others]
}
