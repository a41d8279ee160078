/** A source that nothing has. */
export const nothing = 'probe-nothing'
/** A user that nobody is. */
export const nobody = 'probe-nobody'

export const iso = (time: number): string => new Date(time).toISOString()
/** The same time with another offset. */
export const withOffset = (time: number): string => `${iso(time + 330 * 60_000).slice(0, -1)}+05:30`

/** Values that the spec does not allow, by parameter and kind. */
export const invalid: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  page: { low: ['0', '-1'], text: ['abc'], fraction: ['1.5'], empty: [''], digits: ['2abc'] },
  limit: { low: ['0', '-5'], high: ['101', '1000'], text: ['abc'], fraction: ['2.5'], digits: ['5abc'], empty: [''] },
  minAmount: { low: ['-1'], text: ['abc'], empty: [''], digits: ['5abc'] },
  maxAmount: { low: ['-1'], text: ['abc'], empty: [''] },
  startDate: { text: ['bogus'], number: ['1767225600'], empty: [''], month: ['2026-13-45'], day: ['2026-02-30'] },
  endDate: { text: ['bogus'], number: ['1767225600'], empty: [''] },
  sortBy: { text: ['source'], case: ['AMOUNT'], empty: [''] },
  sortOrder: { text: ['up'], case: ['ASC'], empty: [''] },
}
const swapCase = (source: string): string => {
  const upper = source.toUpperCase()
  return upper === source ? source.toLowerCase() : upper
}

const withOtherAccent = (source: string): string => {
  const plain = source.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain === source ? source.replace(/[aeiou]/i, (letter) => `${letter}\u0301`.normalize('NFC')) : plain
}

/** Rules of matching treat these forms of a source differently: its parts, its characters, patterns, and lists. */
const forms: Readonly<Record<string, (source: string, middle: number) => string>> = {
  whole: (source) => source,
  case: swapCase,
  head: (source) => source.slice(0, -1),
  tail: (source) => source.slice(1),
  word: (source) => source.split(/[^\p{L}\p{N}]+/u).find((word) => word !== source) ?? '',
  accent: withOtherAccent,
  'any character': (source, middle) => `${source.slice(0, middle)}_${source.slice(middle + 1)}`,
  'any text': (source, middle) => `${source.slice(0, middle)}%`,
  pattern: (source, middle) => `${source.slice(0, middle)}.*`,
  list: (source) => `${source},${nothing}`,
  'middle in itself': (source) => source.slice(1, -1),
  'head in another case': (source) => swapCase(source.slice(0, -1)),
  'middle in another case': (source) => swapCase(source.slice(1, -1)),
}

/** Each form with its texts: of some sources each. A form without a text cannot be shown with these sources. */
export const formsOf = (sources: readonly string[]): (readonly [form: string, texts: readonly string[]])[] =>
  Object.entries(forms).map(([form, of]) => {
    const texts = sources
      .map((source) => of(source, Math.floor(source.length / 2)))
      .filter((text, i) => text !== '' && (text !== sources[i] || form === 'whole'))
    return [form, [...new Set(texts)].slice(0, 4)]
  })
