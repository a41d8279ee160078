// A shorter key, as used in tests, is part of ordinary words; the service's own keys are longer.
const minRedactedLength = 16
const redacted = '[api key]'

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }
const hexOf = (code: number, length: number) => code.toString(16).padStart(length, '0')
const anyCase = (hex: string) => hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A pattern for one character of a key, as it is and as JSON, URLs and HTML may escape it. */
const patternOf = (character: string): string => {
  const code = character.charCodeAt(0)
  const literal = `${'"\\/'.includes(character) ? '\\\\?' : ''}\\x${hexOf(code, 2)}`
  const percent = Array.from(new TextEncoder().encode(character), (byte) => `%${anyCase(hexOf(byte, 2))}`).join('')
  const references = [`0{0,6}${code}`, `[xX]0{0,6}${anyCase(hexOf(code, 1))}`].map((reference) => `&#${reference};`)
  const name = htmlNames[character] === undefined ? [] : [`&${htmlNames[character]};`]
  return `(?:${literal}|\\\\u${anyCase(hexOf(code, 4))}|${[percent, ...references, ...name].join('|')})`
}

interface Patterns {
  readonly patterns: ReadonlyMap<string, RegExp>
}

/** Replaces keys in whatever comes from outside. Patterns that `before` has are not compiled again. */
export const createRedaction = (keys: readonly string[], before?: Patterns) => {
  const patterns = new Map(
    keys
      .filter((key) => key.length >= minRedactedLength)
      .map((key) => [key, before?.patterns.get(key) ?? new RegExp(Array.from(key, patternOf).join(''), 'g')]),
  )

  /** One search of the text as it came, before anything is parsed: linear, however the text is nested. */
  const inText = (text: string): string => {
    let rest = text
    for (const pattern of patterns.values()) rest = rest.replace(pattern, redacted)
    return rest
  }

  const inHeaders = (headers: Headers): Headers => {
    const entries = [...headers]
    if (entries.every(([, value]) => inText(value) === value)) return headers
    return new Headers(entries.map(([name, value]): [string, string] => [name, inText(value)]))
  }

  /** A copy of a foreign error with nothing but name, code, message, stack and causes; undefined if it is no error. */
  const inError = (error: unknown, depth = 3): Error | undefined => {
    if (!(error instanceof Error) || depth === 0) return undefined
    const textOf = (value: unknown) => (typeof value === 'string' ? inText(value) : '')
    const cause = inError(error.cause, depth - 1)
    const copy = new Error(textOf(error.message), cause && { cause })
    copy.name = textOf(error.name)
    copy.stack = textOf(error.stack)
    return 'code' in error && typeof error.code === 'string' ? Object.assign(copy, { code: textOf(error.code) }) : copy
  }

  return { patterns, inText, inHeaders, inError }
}

export type Redaction = ReturnType<typeof createRedaction>
