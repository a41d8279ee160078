/** The response behind a page. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Response headers, with the API key redacted. */
  readonly headers: Headers
  /** Attempts made, including the first; 0 if middleware responded and nothing was sent. */
  readonly attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  readonly queuedMs: number
  /** Identifies the call: the same in log lines, on errors and on the tracing channel. */
  readonly callId: string
}

const infos = new WeakMap<object, ResponseInfo>()

/**
 * The response behind a page, whatever fields its body has: `page.response` is the same, unless the body has a field of
 * that name. Undefined for anything but a page that `list` or `pages` of this package returned.
 */
export const responseOf = (page: unknown): ResponseInfo | undefined => infos.get(page as object)

const lengths = new WeakMap<object, number>()

/** Length of the JSON behind a page, in characters; 0 for anything but a page of this package. */
export const lengthOf = (page: unknown): number => lengths.get(page as object) ?? 0

/**
 * Keeps the response of a body apart from it, because a body may have any field. It is a property as well where the name
 * is free, one that `JSON.stringify` and `Object.keys` ignore.
 */
export const withResponse = <T>(body: T, response: ResponseInfo, length: number): T => {
  if (typeof body !== 'object' || body === null) return body
  infos.set(body, response)
  lengths.set(body, length)
  return Object.hasOwn(body, 'response') ? body : Object.defineProperty(body, 'response', { value: response })
}
