const inSeconds = /^\d+(?:\.\d+)?$/
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
/** The three forms of a date that HTTP has: of today, of RFC 850 with a year of two digits, and of C's `asctime`. */
const dateForms: readonly RegExp[] = [
  /^[a-z]{3},? (?<day>\d\d?) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC)$/i,
  /^[a-z]{3,9},? (?<day>\d\d?)-(?<month>[a-z]{3})-(?<year>\d{4}|\d\d) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC)$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) +(?<day>\d\d?) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i,
]

/** Milliseconds since 1970 of a date in a header; undefined if it is none. */
const httpDateOf = (value: string | null): number | undefined => {
  const text = value?.trim() ?? ''
  for (const form of dateForms) {
    const { day = '', month = '', year = '', time = '' } = form.exec(text)?.groups ?? {}
    const number = months.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1
    if (number === 0) continue
    const fullYear = year.length === 2 ? century(Number(year)) : Number(year)
    const ms = Date.parse(`${fullYear}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${time}Z`)
    if (!Number.isNaN(ms)) return ms
  }
  return undefined
}

/** A year of two digits that seems to be more than 50 years ahead is the last one with these digits. */
const century = (year: number): number => {
  const thisYear = new Date().getFullYear()
  const sameCentury = thisYear - (thisYear % 100) + year
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury
}

/** By how much two clocks can differ where neither is wrong: more is a time zone, or the `Date` of a cache. */
const mostSkewMs = 3_600_000

/**
 * Milliseconds to wait according to `Retry-After`, in seconds or as a date; undefined for anything else. A date is one of
 * the service's clock, so it is compared with the `Date` of the same response where there is one. Where that and the clock
 * here are hours apart, one of them is wrong: the one that is closer to the date counts.
 */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const clockHere = Date.now()
  const value = headers.get('retry-after')?.trim() ?? ''
  if (inSeconds.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
  const at = httpDateOf(value)
  if (at === undefined) return undefined
  const here = at - clockHere
  const there = at - (httpDateOf(headers.get('date')) ?? clockHere)
  const isWrong = Math.abs(here - there) > mostSkewMs && Math.abs(here) < Math.abs(there)
  return Math.max(0, isWrong ? here : there)
}
