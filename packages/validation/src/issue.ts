import { codeSpan } from './code-span.ts'

/** One place where a value is not what is expected there. */
export interface Issue {
  /** Where, such as `data[3].transactions[0].amount`; empty for the value as a whole. */
  readonly path: string
  /** What is expected there, such as `an integer ≥ 1`. */
  readonly expected: string
  /** What was there instead, described in a few words. */
  readonly received: string
  /** The whole message, where it is not made of the three others: for unknown names. */
  readonly message?: string
}

/**
 * An issue as a sentence, without a full stop: `` `page` must be an integer ≥ 1, got 0 ``.
 *
 * @param label What to call the value as a whole, such as `the body`.
 */
export const formatIssue = ({ path, expected, received, message }: Issue, label = 'the value'): string =>
  message ?? `${path === '' ? label : codeSpan(path)} must be ${expected}, got ${received}`

/** Issues as sentences one after the other; the last one without a full stop where it has none by itself. */
export const formatIssues = (issues: readonly Issue[], label?: string): string =>
  issues
    .map((issue, i) => {
      const sentence = formatIssue(issue, label)
      return i === issues.length - 1 || /[.?]$/.test(sentence) ? sentence : `${sentence}.`
    })
    .join(' ')

/** What is at a path; undefined where there is nothing. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)

/** A path as messages show it: `data[3].transactions[0].amount`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`)).join('')
