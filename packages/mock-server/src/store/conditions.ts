import type { Condition, Filter } from './selection.ts'
import { codesOf, numbersOf, type Table } from './table.ts'

type TextCondition = Extract<Condition, { readonly text: string }>
type RangeCondition = Exclude<Condition, TextCondition>
type TextTest = (text: string) => (value: string) => boolean

const ignoringCase =
  (fits: (value: string, text: string) => boolean): TextTest =>
  (text) => {
    const folded = text.toLowerCase()
    return (value) => fits(value.toLowerCase(), folded)
  }

const foldedLetters = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
const like: TextTest = (text) => {
  const parts = foldedLetters(text).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(`^${parts.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's')
  return (value) => pattern.test(foldedLetters(value))
}

/** Without `exact`, which is a look-up. */
const textTests: Record<Exclude<TextCondition['match'], 'exact'>, TextTest> = {
  'case-insensitive': ignoringCase((value, text) => value === text),
  contains: (text) => (value) => value.includes(text),
  'contains-case-insensitive': ignoringCase((value, text) => value.includes(text)),
  prefix: (text) => (value) => value.startsWith(text),
  like,
  'like-contains': (text) => like(`%${text}%`),
}

/** Each string of the field is tested once, however many transactions have it. */
const unmarkText = (marks: Uint8Array, table: Table, { field, text, match }: TextCondition): void => {
  const { of, codeOf } = codesOf(table, field)
  const isWanted = new Uint8Array(codeOf.size)
  if (match === 'exact') isWanted[codeOf.get(text) ?? codeOf.size] = 1
  else {
    const test = textTests[match](text)
    for (const [value, code] of codeOf) isWanted[code] = Number(test(value))
  }
  for (let i = 0; i < marks.length; i++) if (isWanted[of[i] as number] === 0) marks[i] = 0
}

const unmarkNumbers = (marks: Uint8Array, table: Table, { field, min, max }: RangeCondition): void => {
  const values = numbersOf(table, field)
  const [least, most] = [min ?? -Infinity, max ?? Infinity]
  for (let i = 0; i < marks.length; i++) {
    const value = values[i] as number
    if (value < least || value > most) marks[i] = 0
  }
}

/** Marks the transactions that meet every condition with 1, the others with 0. */
export const marksOf = (table: Table, filter: Filter): Uint8Array => {
  const marks = new Uint8Array(table.entries.length).fill(1)
  for (const condition of filter) {
    if ('text' in condition) unmarkText(marks, table, condition)
    else unmarkNumbers(marks, table, condition)
  }
  return marks
}
