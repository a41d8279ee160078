import { check, integer, quoted, validateValue, type Check } from '@guild-ledger/validation'
import { parseAssumptionList, type Assumptions } from '../assumptions/index.ts'
import { rateLimitCheck, type RateLimit } from '../rate-limit/index.ts'
import { UsageError } from './usage-error.ts'

/**
 * Parses the value of an option.
 *
 * @throws {UsageError} It is not allowed. `name` is what the user called the option: its flag or its variable.
 */
export type Parse<Value> = (text: string, name: string) => Value

const takeValue = (allowed: Check, name: string, parsed: unknown, text: string): void =>
  validateValue(quoted(check(() => allowed.accepts(parsed), allowed.expected)), name, text, (_path, message) => {
    throw new UsageError(message)
  })

const digitsToNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

export const parseString: Parse<string> = (text) => text

export const parseInteger =
  (max = Number.MAX_SAFE_INTEGER): Parse<number> =>
  (text, name) => {
    const parsed = digitsToNumber(text)
    takeValue(integer(0, max), name, parsed, text)
    return parsed
  }

export const parseRateLimit: Parse<RateLimit> = (text, name) => {
  const parsed = text === 'off' ? text : digitsToNumber(text)
  takeValue(rateLimitCheck, name, parsed, text)
  return parsed
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const switchCheck = check((value) => value !== undefined, '1 or true for on, 0 or false for off')

/** On the command line the option itself is the value; only a variable has one. */
export const parseSwitch: Parse<boolean> = (text, name) => {
  const parsed = switches.get(text.toLowerCase())
  takeValue(switchCheck, name, parsed, text)
  return parsed ?? false
}

/** Pairs such as `pageUnit=group,maxPage=3`. */
export const parseAssumptions: Parse<Partial<Assumptions>> = (text, name) => {
  try {
    return parseAssumptionList(text)
  } catch (error) {
    throw new UsageError(`${name} ${(error as Error).message}`, { cause: error })
  }
}
