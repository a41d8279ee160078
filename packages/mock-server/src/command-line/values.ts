import { inWords } from '@guild-ledger/sdk/contract'
import { assumptionFrom, type Assumptions } from '../assumptions/index.ts'
import type { RateLimit } from '../rate-limit/index.ts'

/**
 * Makes a value of the text that was given for an option.
 *
 * @throws {TypeError} It can not; the message goes on where the name of the option stood before.
 */
export type Read<Value> = (text: string) => Value

export const text: Read<string> = (given) => given

export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER): Read<number> =>
  (given) => {
    if (/^\d+$/.test(given) && Number(given) <= max) return Number(given)
    const allowed = max === Number.MAX_SAFE_INTEGER ? 'of at least 0' : `from 0 to ${max}`
    throw new TypeError(`must be a whole number ${allowed}, not ${inWords(given)}.`)
  }

const highestLimit = 1_000_000

export const rateLimit: Read<RateLimit> = (given) => {
  if (given === 'off') return given
  if (/^\d+$/.test(given) && Number(given) >= 1 && Number(given) <= highestLimit) return Number(given)
  throw new TypeError(
    `must be a whole number of requests a second from 1 to ${highestLimit}, or off for no limit, not ${inWords(given)}.`,
  )
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/** On the command line the option itself is the value; only a variable has one. */
export const onOrOff: Read<boolean> = (given) => {
  const on = switches.get(given.toLowerCase())
  if (on !== undefined) return on
  throw new TypeError(`must be 1 or true for on, 0 or false for off, not ${inWords(given)}.`)
}

/** Pairs such as `pageUnit=group,maxPage=3`. */
export const pairs: Read<Partial<Assumptions>> = (given) => {
  const read = given.split(',').map((pair) => {
    try {
      return assumptionFrom(pair.trim())
    } catch (error) {
      throw new TypeError(`${pair.trim()}: ${(error as Error).message}`, { cause: error })
    }
  })
  return Object.assign({}, ...read) as Partial<Assumptions>
}
