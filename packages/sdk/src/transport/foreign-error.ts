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
  inOneLine(chainOf(error).at(-1)?.message ?? '').replace(/[:.]+$/, '')

export const systemCodeOf = (error: unknown): string => {
  const code = propertyOf(error, 'code')
  return typeof code === 'string' ? code : ''
}

/**
 * Whether an error is the control flow of a framework, which has to get it as it is: Next.js leaves the static render of a
 * page by one that its `fetch` throws.
 */
export const isControlFlow = (error: unknown): boolean => typeof propertyOf(error, 'digest') === 'string'
