/** A source that nothing has. */
export const nothing = 'probe-nothing'

/** A time in milliseconds as the spec has it. */
export const iso = (time: number): string => new Date(time).toISOString()
/** The same time with another offset. */
export const withOffset = (time: number, hours: number): string =>
  `${iso(time + hours * 3_600_000).slice(0, -1)}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`

/** Values that the spec does not allow, by parameter and kind. */
export const invalid: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  page: { low: ['0', '-1'], text: ['abc'], form: ['1.5'], empty: [''] },
  limit: { low: ['0', '-5'], high: ['101', '1000'], text: ['abc'], form: ['2.5'], digits: ['5abc'], empty: [''] },
  minAmount: { low: ['-1'], text: ['abc'], empty: [''] },
  maxAmount: { low: ['-1'], text: ['abc'], empty: [''] },
  startDate: { text: ['bogus'], form: ['2026-13-45', '1767225600'], empty: [''] },
  endDate: { text: ['bogus'], form: ['2026-13-45', '1767225600'], empty: [''] },
  sortBy: { text: ['source'], case: ['AMOUNT'], empty: [''] },
  sortOrder: { text: ['up'], case: ['ASC'], empty: [''] },
}
/** Parameters of the endpoint of one user. */
export const userParameters = new Set(['page', 'limit', 'minAmount', 'maxAmount', 'sortBy', 'sortOrder'])
/** Fields that the endpoint of one user sorts by. */
export const userSorts = ['createdAt', 'amount', 'quantity', 'total']
export const orders = ['asc', 'desc']

const swapCase = (source: string): string => {
  const upper = source.toUpperCase()
  return upper === source ? source.toLowerCase() : upper
}

/** Forms of a source that rules of matching treat differently. */
export const formsOf = (source: string): (readonly [form: string, from: string])[] => {
  const middle = Math.floor(source.length / 2)
  return [
    ['whole', source],
    ['case', swapCase(source)],
    ['head', source.slice(0, -1)],
    ['tail', source.slice(1)],
    ['inside', source.slice(1, -1)],
    ['head-case', swapCase(source.slice(0, -1))],
    ['inside-case', swapCase(source.slice(1, -1))],
    ['any-character', `${source.slice(0, middle)}_${source.slice(middle + 1)}`],
    ['any-text', `${source.slice(0, middle)}%`],
    ['space', ` ${source}`],
    ['pattern', `${source.slice(0, middle)}.*`],
    ['list', `${source},${nothing}`],
  ]
}
