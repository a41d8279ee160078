/** Blots a key out of what comes from outside. */
export interface Redact {
  readonly text: (text: string) => string
  /** A body: where it is JSON, names and strings are searched as they read, however they are escaped. */
  readonly body: (text: string) => string
  readonly headers: (headers: Headers) => Headers
}

// Shorter ones, as tests use them, stand in ordinary words; a service's own keys are longer.
const shortest = 16
const blot = '[api key]'

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((element) => mapStrings(element, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [change(name), mapStrings(part, change)]))
}

export const redactor = (key: string): Redact => {
  const spellings = key.length < shortest ? [] : [...new Set([key, encodeURIComponent(key)])]
  const holdsKey = (text: string) => spellings.some((spelling) => text.includes(spelling))
  const redact = (text: string) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, blot), text)
  return {
    text: redact,
    body: (text) => {
      if (spellings.length === 0 || !(text.includes('\\') || holdsKey(text))) return text
      let found = false
      try {
        const copy = mapStrings(JSON.parse(text), (part) => {
          found ||= holdsKey(part)
          return redact(part)
        })
        return found ? JSON.stringify(copy) : text
      } catch {
        return redact(text)
      }
    },
    headers: (headers) => new Headers([...headers].map(([name, value]) => [name, redact(value)])),
  }
}
