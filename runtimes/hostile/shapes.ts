/** JSON that costs a parser as much time or memory as a string of its length can. */
export type Shape = (length: number) => string

const repeated =
  (unit: string, open = '[', close = ']'): Shape =>
  (length) =>
    open +
    Array(Math.max(1, Math.floor((length - 2) / (unit.length + 1))))
      .fill(unit)
      .join(',') +
    close

const counted =
  (unit: (n: number) => string, open: string, close: string): Shape =>
  (length) => {
    let text = open + unit(0)
    for (let n = 1; text.length + unit(n).length + 2 <= length; n++) text += `,${unit(n)}`
    return text + close
  }

const nested =
  (open: string, innermost: string, close: string): Shape =>
  (length) => {
    const depth = Math.floor((length - innermost.length) / (open.length + close.length))
    return open.repeat(depth) + innermost + close.repeat(depth)
  }

const quoted =
  (unit: string): Shape =>
  (length) =>
    `"${unit.repeat(Math.floor((length - 2) / unit.length))}"`

const all: Readonly<Record<string, Shape>> = {
  'nested arrays': nested('[', '', ']'),
  'nested objects': nested('{"a":', '1', '}'),
  'nested prototypes': nested('{"__proto__":', '1', '}'),
  'empty arrays': repeated('[]'),
  'empty objects': repeated('{}'),
  // As many as a response may have.
  'objects with much space': repeated(`{${' '.repeat(24)}}`),
  'many field names': counted((n) => `"a${n}":0`, '{', '}'),
  'many index names': counted((n) => `"${n}":0`, '{', '}'),
  'sparse index names': counted((n) => `"${(n * 2_654_435_761) % 4_294_967_295}":0`, '{', '}'),
  'objects of many shapes': counted((n) => `{"k${n}":0}`, '[', ']'),
  'objects of three new fields': counted((n) => `{"a${n}":0,"b${n}":0,"c${n}":0}`, '[', ']'),
  'one field again and again': repeated('"a":1', '{', '}'),
  'one prototype again and again': repeated('"__proto__":{}', '{', '}'),
  'short numbers': repeated('1'),
  'decimal numbers': repeated('1.5'),
  'large numbers': repeated('1e308'),
  'infinite numbers': repeated('1e999'),
  'long numbers': repeated('1'.repeat(400)),
  'one number': (length) => '9'.repeat(length),
  'short strings': repeated('"a"'),
  'different strings': counted((n) => `"${n}"`, '[', ']'),
  'one string': quoted('a'),
  'escaped line breaks': quoted('\\n'),
  'unicode escapes': quoted('\\u0061'),
  'lone surrogates': quoted('\\ud800'),
  'white space': (length) => `${' '.repeat(length - 1)}1`,
}

/** Makes each text once: that takes longer than to read it. */
const memoized = (shape: Shape): Shape => {
  const made = new Map<number, string>()
  return (length) => {
    const text = made.get(length) ?? shape(length)
    made.set(length, text)
    return text
  }
}

/** By their names. */
export const shapes: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(all).map(([name, shape]) => [name, memoized(shape)]),
)
