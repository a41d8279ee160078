// The first of several values counts: a gateway that adds a header which is there already makes `60, 60` of it.
const inSeconds = /^\d+(?:\.\d+)?(?:,|$)/
/** The three forms of a date that a receiver must read: RFC 9110, section 5.6.7. Python's libraries write UTC as `+0000`. */
const dateForms: readonly RegExp[] = [
  /^[a-z]{3}, (?<day>\d\d?) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>[\d:]{8}) (?:GMT|UTC|[+-]0000)(?:,|$)/i,
  /^[a-z]{6,9}, (?<day>\d\d?)-(?<month>[a-z]{3})-(?<year>\d\d) (?<time>[\d:]{8}) (?:GMT|UTC|[+-]0000)(?:,|$)/i,
  /^[a-z]{3} (?<month>[a-z]{3}) +(?<day>\d\d?) (?<time>[\d:]{8}) (?<year>\d{4})(?:,|$)/i,
]

/** Milliseconds since 1970 of a date in a header; undefined if there is none. */
export const dateOf = (headers: Headers | undefined, name = 'date'): number | undefined => {
  for (const form of dateForms) {
    const found = form.exec(headers?.get(name) ?? '')?.groups
    if (!found) continue
    const { day, month, year = '', time } = found
    const century = year.length === 4 ? '' : Number(year) < 70 ? '20' : '19'
    const ms = Date.parse(`${day} ${month} ${century}${year} ${time} GMT`)
    if (!Number.isNaN(ms)) return ms
  }
  return undefined
}

/** By how much two clocks can differ where neither is wrong: more is a time zone, or the `Date` of a cache. */
const mostSkewMs = 3_600_000

/**
 * Milliseconds to wait according to `Retry-After`, in seconds or as a date; undefined for anything else. A date is one of
 * the service's clock, so it is compared with the `Date` of the same response where there is one. Where that and the clock
 * here are hours apart, one of them is wrong: the one that is closer to the date counts.
 */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after') ?? ''
  const ms = inSeconds.test(value) ? Math.min(Number.parseFloat(value) * 1000, Number.MAX_SAFE_INTEGER) : undefined
  // More than 47 years are no wait but a date since 2017, counted from 1970: a limiter for Cloudflare Workers sends that.
  if (ms !== undefined && ms < 1.5e12) return ms
  const at = ms ?? dateOf(headers, 'retry-after')
  if (at === undefined) return undefined
  const here = at - Date.now()
  const there = at - (dateOf(headers) ?? Date.now())
  const isWrong = Math.abs(here - there) > mostSkewMs && Math.abs(here) < Math.abs(there)
  return Math.max(0, isWrong ? here : there)
}

/** Milliseconds by which the service's clock is ahead, by the `Date` of a response seen `agoMs` ago; 0 where that is wrong. */
export const aheadOf = (headers: Headers | undefined, agoMs: number): number => {
  const ahead = (dateOf(headers) ?? Number.NaN) + agoMs - Date.now()
  return Math.abs(ahead) <= mostSkewMs ? ahead : 0
}
