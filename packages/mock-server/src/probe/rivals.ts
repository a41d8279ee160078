import type { Inference } from './learn.ts'
import { isForeign, type Inferable, type Value } from './model/variables.ts'

/** What would tell a value from behaviours that no value describes. */
const tellsRivals: Partial<Record<Inferable, string>> = {
  nameOrder:
    'names with letters such as é and in two cases, or with different punctuation, that other orders sort differently',
  groupOrder: 'users whose ids differ in length or case, or who differ more in their transactions',
  tieOrder: 'more transactions with equal values, at different times',
  sourceMatch: 'a source with letters, and one that contains another',
}

const letters = /\p{L}/gu
const minLetters = 20

/** Whether the ids of users have letters of one case only: too many for an accident, or none. */
const haveOneCase = (users: readonly string[]): boolean => {
  const text = users.join('')
  const count = text.match(letters)?.length ?? 0
  return (text === text.toLowerCase() || text === text.toUpperCase()) && (count === 0 || count >= minLetters)
}

const numbered = /^(\D*)(\d+)$/
const minDigits = 15

/**
 * Whether the ids of users are numbers of one length that will not grow, after the same text: padded with zeros, or as long
 * as those that platforms give. Their order as numbers is that of their text.
 */
const haveOneLength = (users: readonly string[]): boolean => {
  const found = users.map((user) => numbered.exec(user))
  const numbers = found.map((one) => one?.[2] ?? '')
  const shapes = new Set(found.map((one, i) => (one ? `${one[1]}${numbers[i]?.length}` : i)))
  const isPadded = numbers.some((number) => number.startsWith('0'))
  return shapes.size === 1 && (isPadded || numbers.every(({ length }) => length >= minDigits))
}

/**
 * What would tell the only value left of an assumption from behaviours that no value describes, but that agree with every
 * response as well; `undefined` if there is none.
 */
export const rivalNeeds = (key: Inferable, { knowledge, tracker }: Inference): string | undefined => {
  const users = [...tracker.copy.byUser.keys()]
  const isTrimmed = tracker.copy.items.every(({ entry: { name } }) => name === name.trim())
  const isWithoutEffect = (value: Value): boolean =>
    (value === 'code-unit-trimmed' && isTrimmed) ||
    // If no names differ only in case, ties are the same. Else `lackingFor` says what is missing.
    value === 'case-last' ||
    (value === 'id-any-case' && haveOneCase(users)) ||
    (value === 'id-numeric' && haveOneLength(users))
  const alive = knowledge.space.domains.get(key) ?? []
  return alive.some((value) => isForeign(key, value) && !isWithoutEffect(value)) ? tellsRivals[key] : undefined
}
