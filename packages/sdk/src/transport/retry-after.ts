const inSeconds = /^\d+(?:\.\d+)?$/
/** The form of a date that senders must use: RFC 9110, section 5.6.7. */
const httpDate = /^[a-z]{3}, \d\d? [a-z]{3} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC)$/i

/** Milliseconds since 1970 of a date in a header; undefined if it is none. */
const httpDateOf = (value: string | null): number | undefined => {
  const ms = value !== null && httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
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
