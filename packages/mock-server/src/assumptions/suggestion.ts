import { nearest } from '@guild-ledger/sdk/contract'

/** What to say of a name that is not known: the one that was probably meant, else all there are. */
export const suggestion = (given: string, names: readonly string[]): string => {
  const meant = nearest(given, names)
  return meant === undefined ? `there are ${names.join(', ')}.` : `did you mean ${meant}?`
}
