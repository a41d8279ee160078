import { describeValue, integer, oneOf, orNull, within, type Check } from '@guild-ledger/validation'
import { checkedFields } from '../type-error.ts'
import { accessAssumptions } from './access.ts'
import { dataAssumptions } from './data.ts'
import type { AssumptionDefinition, Choice } from './definition.ts'
import { requestAssumptions } from './request.ts'

/** Every behaviour that the spec leaves open and a client could depend on; the first value is the default. */
export const assumptionDefinitions = { ...dataAssumptions, ...requestAssumptions, ...accessAssumptions }

/** @internal */
type AssumptionValue<Definition extends AssumptionDefinition> = Definition extends Choice
  ? Definition['values'][number][0]
  : Definition extends { readonly orNull: true }
    ? number | null
    : number

/** Name of an assumption. */
export type AssumptionKey = keyof typeof assumptionDefinitions

/** The value of every assumption. */
export type Assumptions = { readonly [Key in AssumptionKey]: AssumptionValue<(typeof assumptionDefinitions)[Key]> }

const definitions = Object.entries<AssumptionDefinition>(assumptionDefinitions)

const defaultOf = (definition: AssumptionDefinition) =>
  'values' in definition ? definition.values[0]?.[0] : definition.default
const assumptionDefaults = Object.fromEntries(definitions.map(([key, definition]) => [key, defaultOf(definition)]))

const checkOf = (definition: AssumptionDefinition): Check => {
  if ('values' in definition) return oneOf(...definition.values.map(([value]) => value))
  const number = integer(definition.min, definition.max)
  return definition.orNull ? orNull(number) : number
}
const assumptionChecks = Object.fromEntries(definitions.map(([key, definition]) => [key, checkOf(definition)]))
const assumptionNaming = { noun: 'assumption', expected: "an object such as { pageUnit: 'group' }" }

/**
 * Takes the values of some assumptions; `undefined` means not given.
 *
 * @throws {TypeError} A key is unknown or a value is not allowed.
 */
export const checkedAssumptions = (given: Partial<Assumptions>): Partial<Assumptions> =>
  checkedFields(assumptionChecks, given, assumptionNaming)

/**
 * The value of every assumption: that of `overrides`, else that of `base`, else the default.
 *
 * @throws {TypeError} As `checkedAssumptions`.
 */
export const assume = (overrides: Partial<Assumptions> = {}, base?: Assumptions): Assumptions =>
  Object.freeze({ ...assumptionDefaults, ...base, ...checkedAssumptions(overrides) }) as Assumptions

const parseAssumption = (text: string): Partial<Assumptions> => {
  const split = text.indexOf('=')
  if (split < 1) {
    throw new TypeError(`An assumption must be KEY=VALUE, such as pageUnit=group, got ${describeValue(text)}`)
  }
  const value = text.slice(split + 1)
  const parsed: unknown = /^(true|false|null|-?(0|[1-9]\d*))$/.test(value) ? JSON.parse(value) : value
  return checkedAssumptions({ [text.slice(0, split)]: parsed })
}

/**
 * Parses `KEY=VALUE,KEY=VALUE`, as on a command line: numbers, `true`, `false` and `null` are taken as such, and later values
 * take precedence.
 *
 * @throws {TypeError} There is no `=`, a key is unknown or a value is not allowed; the message names the pair.
 */
export const parseAssumptionList = (text: string): Partial<Assumptions> => {
  const pairs = text.split(',').map((pair) => pair.trim())
  return Object.assign({}, ...pairs.map((pair) => within(pair, () => parseAssumption(pair)))) as Partial<Assumptions>
}
