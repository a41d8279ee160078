import { noSuch, requestOf, type Candidate } from './candidate.ts'
import type { Item } from './model/ledger-copy.ts'

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

/** Two sources with a comma between them, and a word of one. */
const sourcePartChecks = (items: readonly Item[]): Candidate[] => {
  const sources = [...new Set(items.map(({ entry }) => entry.source))]
  const word = sources.flatMap((source) => source.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== source)).at(-1)
  return [sources.slice(0, 2).join(','), ...(word ? [word] : [])].map((from) => ({
    request: requestOf(null, { from, limit: 100 }),
    targets: ['sourceMatch'],
  }))
}

/**
 * A source with the sign that stands for any letter in SQL, and one with an accent, or without its accents: some
 * services compare text without them.
 */
const likeSourceChecks = (source: string): Candidate[] => {
  const plain = source.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const accented = source.replace(/[a-z]/i, (letter) => `${letter}\u0301`.normalize('NFC'))
  return [source.replace(/[\p{L}\p{N}]/u, '_'), plain === source ? accented : plain]
    .filter((from) => from !== source)
    .map((from) => ({ request: requestOf(null, { from, limit: 100 }), targets: ['sourceMatch'] }))
}

/** Part of a source, a source in another case, and with other letters. */
export const sourceChecks = (user: string, items: readonly Item[], all: readonly Item[]): Candidate[] => {
  const longest = ([first, ...others]: readonly Item[]): string =>
    others.reduce(
      (most, { entry }) => (entry.source.length > most.length ? entry.source : most),
      first?.entry.source ?? '',
    )
  const source = longest(items)
  return [
    { request: requestOf(user, { from: source.slice(1) || noSuch, limit: 100 }), targets: ['sourceMatch'] },
    { request: requestOf(user, { from: swapCase(source), limit: 100 }), targets: ['sourceMatch'] },
    { request: requestOf(null, { from: swapCase(longest(all)), limit: 100 }), targets: ['sourceMatch'] },
    ...sourcePartChecks(all),
    ...(source === '' ? [] : likeSourceChecks(source)),
  ]
}
