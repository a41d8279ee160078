import { isErrorLike, propertyOf } from '@guild-ledger/validation'
import { parameters, type Parameter } from '../contract/index.ts'
import { statusOf } from './foreign-error.ts'

// A shorter key, as used in tests, is part of ordinary words; the service's own keys are longer.
const minRedactedLength = 16
const redacted = '[api key]'

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A character of a key as JSON, URLs (in UTF-8) and HTML may escape it. */
const escape =
  /\\u([\da-f]{4})|\\(["\\/])|%([0-7][\da-f])|%c([23])%([89ab][\da-f])|&#x([\da-f]{1,8});|&#(\d{1,9});|&(amp|lt|gt|quot|apos);/gi
const escapeOrCharacter = new RegExp(`${escape.source}|[^]`, 'gi')

const decode = (all: string, ...groups: (string | undefined)[]): string => {
  const [json, quoted, percent, lead, trail, hex, decimal, name] = groups
  if (quoted) return quoted
  if (name) return named[name.toLowerCase()] ?? all
  if (decimal) return String.fromCharCode(Number(decimal))
  if (trail) return String.fromCharCode((Number(lead) - 2) * 64 + Number.parseInt(trail, 16))
  return String.fromCharCode(Number.parseInt(json ?? percent ?? hex ?? '', 16))
}

/** The same text without escapes: each becomes one character. */
const decoded = (text: string): string => text.replace(escape, decode)

/** Replaces strings that are in the decoded text; what stands around them stays as it is. */
const replaceEscaped = (text: string, plain: string, forms: readonly string[]): string => {
  const units = Array.from(text.matchAll(escapeOrCharacter), ([unit]) => unit)
  for (const form of forms) {
    for (let at = plain.indexOf(form); at !== -1; at = plain.indexOf(form, at + form.length)) {
      units.fill('', at, at + form.length)
      units[at] = redacted
    }
  }
  return units.join('')
}

/** Replaces keys in whatever comes from outside, without a pattern for each: one takes a quarter of a megabyte. */
export const createRedaction = (given: readonly string[]) => {
  const keys = given.filter((key) => key.length >= minRedactedLength)
  const inText = (text: string): string => {
    const rest = keys.reduce((before, key) => before.replaceAll(key, redacted), text)
    if (!/[\\%&]/.test(rest)) return rest // nothing is escaped, as in nearly all responses
    const plain = decoded(rest)
    // A key may hold what looks like an escape, with another of its characters escaped.
    const forms = [...new Set([...keys, ...keys.map(decoded)])]
    return forms.some((form) => plain.includes(form)) ? replaceEscaped(rest, plain, forms) : rest
  }

  /** Returns those of the platform, whatever library a `fetch` has its own from. */
  const inHeaders = (headers: Iterable<[string, string]>): Headers =>
    new Headers(Array.from(headers, ([name, value]): [string, string] => [name, inText(value)]))

  /**
   * A copy of what somebody else threw, with nothing but name, code, status, message, stack and causes. `shown` replaces the address
   * of the request in it, which may name a person.
   */
  const inError = (error: unknown, shown: (text: string) => string, depth = 4): Error => {
    const status = statusOf(error)
    const facts = { ...(status !== undefined && { status }) }
    if (!isErrorLike(error)) {
      return Object.assign(new Error(typeof error === 'string' ? shown(inText(error)) : 'the connection failed'), facts)
    }
    const textOf = (name: string) => {
      const value = propertyOf(error, name)
      return typeof value === 'string' ? shown(inText(value)) : ''
    }
    // "Connection refused" by all addresses of a host is an error with an error for each.
    const inner = propertyOf(error, 'cause') ?? propertyOf(propertyOf(error, 'errors'), 0)
    const cause = isErrorLike(inner) && depth > 1 ? inError(inner, shown, depth - 1) : undefined
    const copy = new Error(textOf('message'), cause && { cause })
    copy.name = textOf('name')
    copy.stack = textOf('stack')
    const code = textOf('code')
    return Object.assign(copy, facts, code !== '' && { code })
  }

  return { given, inText, inHeaders, inError }
}

/** Whether the value of a parameter names nobody. Others may, such as those of paths that the spec does not describe. */
const isHarmless = (name: string): boolean =>
  Object.hasOwn(parameters, name) && !(parameters as Readonly<Record<string, Parameter>>)[name]?.namesPerson

/** The path of one user's list, and a query parameter, also within JSON, HTML or another URL, decoded or in lower case. */
const userPath = /(guild(?:\\?\/|%2f)ledger(?:\\?\/|%2f))(?!transactions\b).{1,400}?((?:\\?\/|%2f)transactions)/gi
const queryParameter = /((?:[?&]|%3f|%26|\\u0026)([^=&?\s]{1,100}?)(?:=|%3d))(?:(?!%26)[^&\s"'<>)\\])*/gi

/** More than this of a body is shown nowhere, and need not be searched. */
const mostMasked = 65_536

/** A URL, or text with one, as errors show it: without the user, and without values of parameters that may name a person. */
export const maskAddress = (text: string): string =>
  text
    .slice(0, mostMasked)
    .replace(userPath, '$1{platformId}$2')
    .replace(queryParameter, (all, start: string, name: string) => (isHarmless(name) ? all : `${start}[redacted]`)) +
  text.slice(mostMasked)
