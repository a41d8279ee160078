import { describeValue } from './describe-value.ts'

// Deeper values overflow the stack of what reads or writes them later.
const maxDepth = 500

/** `line 3, column 14` of a place in a text, both counted from 1; any line ends. */
export const formatPlace = (text: string, offset: number): string => {
  let line = 1
  let start = 0
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    if (index >= offset) break
    line++
    start = index + end.length
  }
  return `line ${line}, column ${offset - start + 1}`
}

// The start of a literal or of an escape.
const cutOff = /^(?:-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\\(?:u[\da-f]{0,3})?)?$/i

const fail = (text: string, at: number, expected: string): never => {
  const isCutOff = at + 6 > text.length && cutOff.test(text.slice(at))
  const got = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const problem = isCutOff
    ? 'the text ends within a JSON value, so it is incomplete'
    : `must be JSON: expected ${expected}, got ${describeValue(got)}`
  throw new TypeError(`${formatPlace(text, at)}: ${problem}`)
}

const blank = /[ \t\n\r\uFEFF]*/y // a byte order mark also where files are joined
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** Where a match of a sticky pattern ends; undefined if there is none. */
const endOf = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const skipBlank = (text: string, at: number): number => endOf(blank, text, at) ?? at

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code === 0x5c) at = (endOf(escape, text, at) ?? fail(text, at, String.raw`an escape such as \n`)) - 1
    else if (!(code >= 0x20)) fail(text, at, 'the end of the string')
  }
}

type Visit = (step: string | number, at: number) => number

/** Visits the members of an object or array; `visit` returns where a value ends. Returns where the container ends. */
const walk = (text: string, start: number, visit: Visit): number => {
  const isArray = text[start] === '['
  const close = isArray ? ']' : '}'
  let at = skipBlank(text, start + 1)
  if (text[at] === close) return at + 1
  for (let index = 0; ; index++) {
    let step: string | number = index
    if (!isArray) {
      if (text[at] !== '"') fail(text, at, 'a name in double quotes')
      const end = endOfString(text, at)
      step = text.slice(at, end)
      at = skipBlank(text, end)
      if (text[at] !== ':') fail(text, at, 'a colon')
      at = skipBlank(text, at + 1)
    }
    at = skipBlank(text, visit(step, at))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') fail(text, at, `a comma or ${close}`)
    at = skipBlank(text, at + 1)
  }
}

const endOfValue = (text: string, at: number, depth = 0): number => {
  if (depth > maxDepth) throw new TypeError(`${formatPlace(text, at)}: more than ${maxDepth} levels of JSON`)
  if (text[at] === '"') return endOfString(text, at)
  if (text[at] === '{' || text[at] === '[') return walk(text, at, (_, value) => endOfValue(text, value, depth + 1))
  return endOf(scalar, text, at) ?? fail(text, at, 'a value')
}

/** The place of a part of the value that starts at `start`: as much of the path as there is. */
export const offsetOf = (text: string, start: number, path: readonly PropertyKey[]): number => {
  const [wanted, ...rest] = path
  if (wanted === undefined || !/[[{]/.test(text[start] ?? '')) return start
  let found = start
  walk(text, start, (step, at) => {
    const name: unknown = typeof step === 'string' ? JSON.parse(step) : step
    if (name === wanted) found = offsetOf(text, at, rest)
    return endOfValue(text, at)
  })
  return found
}

const parsedLine = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

/**
 * Parses the JSON values of a text, each with where it starts: one, on one or several lines, or several one after the
 * other, such as one on each line.
 *
 * @throws {TypeError} It is not JSON; the message starts with line and column.
 */
export const parseJsonValues = (text: string) => {
  const values: { readonly value: unknown; readonly offset: number }[] = []
  for (let at = skipBlank(text, 0); at < text.length;) {
    const lineEnd = text.indexOf('\n', at)
    let end = lineEnd < 0 ? text.length : lineEnd
    let value = parsedLine(text.slice(at, end))
    if (value === undefined) {
      end = endOfValue(text, at)
      value = JSON.parse(text.slice(at, end))
    }
    values.push({ value, offset: at })
    at = skipBlank(text, end)
  }
  return values
}
