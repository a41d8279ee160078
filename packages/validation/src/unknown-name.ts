import { codeSpan } from './code-span.ts'
import { nearest } from './nearest.ts'

/**
 * The message for a name that is not known: ``Unknown option `rate`. Did you mean `rateLimit`?``, and where no known
 * name is near, ``Unknown option `rate`. Known options: `a`, `b`.``
 *
 * The value never shows: it may be an API key under a wrong name.
 *
 * @param noun What the name is one of: option, parameter, field, assumption, …
 * @param prefix Path in front of every name, such as `retry.`.
 */
export const formatUnknownName = (noun: string, name: string, known: readonly string[], prefix = ''): string => {
  const code = (bare: string) => codeSpan(prefix + bare)
  const meant = nearest(name, known)
  const list = known.length > 0 ? known.map(code).join(', ') : 'none'
  const help = meant === undefined ? `Known ${noun}s: ${list}.` : `Did you mean ${code(meant)}?`
  return `Unknown ${noun} ${code(name)}. ${help}`
}
