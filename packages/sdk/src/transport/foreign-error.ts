import { isErrorLike, propertyOf } from '@guild-ledger/validation'

/** Text from outside in a message of ours: no line breaks or terminal codes, and no more than a person reads. */
export const inOneLine = (text: string): string => {
  const line = text
    .slice(0, 500)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return text.length > 500 ? `${line}…` : line
}

/** The errors behind a failure, innermost last: runtimes wrap "connection refused" in one to three layers. */
export const chainOf = (error: unknown, depth = 8): Error[] =>
  isErrorLike(error) && depth > 0 ? [error, ...chainOf(propertyOf(error, 'cause'), depth - 1)] : []

/** The innermost reason of a failure. */
export const reasonOf = (error: unknown): string =>
  inOneLine(chainOf(error).at(-1)?.message ?? '').replace(/[:.?]+$/, '')

export const systemCodeOf = (error: unknown): string => {
  const code = propertyOf(error, 'code')
  return typeof code === 'string' ? code : ''
}

/**
 * The status in an error by which many libraries report an error response; undefined if there is none. Where a response
 * breaks off, the errors of got and axios have its status, which is one of success.
 */
export const statusOf = (error: unknown): number | undefined => {
  const response = propertyOf(error, 'response') ?? error
  const found = propertyOf(response, 'status') ?? propertyOf(response, 'statusCode')
  return typeof found === 'number' && found >= 300 && found < 600 ? found : undefined
}

/**
 * Whether an error is the control flow of a framework, which has to get it as it is. Those of Next.js and React are marked;
 * redirects of SvelteKit and React Router, and `notFound()` of TanStack Router, are no errors.
 */
export const isControlFlow = (error: unknown): boolean =>
  typeof propertyOf(error, 'digest') === 'string' ||
  typeof propertyOf(error, '$$typeof') === 'symbol' ||
  systemCodeOf(error).startsWith('NEXT_') ||
  (!isErrorLike(error) && (propertyOf(error, 'isNotFound') === true || Number(statusOf(error)) < 400))
