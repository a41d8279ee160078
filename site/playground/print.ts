/** Values as text, much as Node's console prints them. */

/** What `JSON.stringify` cannot print, in a form that it can. */
const toPlain = (value: unknown): unknown => {
  if (value instanceof Map) return { Map: [...value] }
  if (value instanceof Set) return { Set: [...value] }
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return typeof value === 'bigint' ? `${value}n` : value
}

/** A replacer for `JSON.stringify` that ends circles. */
const createReplacer = () => {
  const parents: unknown[] = []
  return function (this: unknown, _key: string, value: unknown): unknown {
    while (parents.length > 0 && parents.at(-1) !== this) parents.pop()
    if (parents.includes(value)) return '[Circular]'
    const plain = toPlain(value)
    if (typeof plain === 'object' && plain !== null) parents.push(plain)
    return plain
  }
}

const print = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Promise) return 'Promise (`await` it for its value)'
  if (value instanceof Error || typeof value === 'bigint') return String(toPlain(value))
  const short = JSON.stringify(value, createReplacer())
  if (short === undefined) return String(value)
  return short.length <= 72 ? short : JSON.stringify(value, createReplacer(), 2)
}

/** The text of a line. */
export const printAll = (values: readonly unknown[]): string => values.map(print).join(' ')
