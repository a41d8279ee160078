/** Values as text, much as Node's console prints them. */

const asJson = (value: unknown): string | undefined => {
  try {
    const short = JSON.stringify(value)
    return short === undefined || short.length <= 72 ? short : JSON.stringify(value, null, 2)
  } catch {
    return undefined // a circle, or a bigint
  }
}

const print = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return asJson(value) ?? String(value)
}

/** The text of a line. */
export const printAll = (values: readonly unknown[]): string => values.map(print).join(' ')
