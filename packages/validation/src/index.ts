/**
 * Checks of what callers pass and of what the service responds, and the one wording of their messages. A private package:
 * both published ones have it in their bundles.
 */
export {
  aFunction,
  any,
  array,
  boolean,
  check,
  hinted,
  integer,
  longestTimerMs,
  milliseconds,
  nonEmptyString,
  number,
  object,
  oneOf,
  orNull,
  quoted,
  required,
  secret,
  string,
  worded,
  type Check,
  type Checks,
} from './check.ts'
export { createChecker, type Checker } from './create-checker.ts'
export { decodeText, withoutByteOrderMark } from './decode-text.ts'
export { describeRange } from './describe-range.ts'
export { describeGiven, describeType, describeValue } from './describe-value.ts'
export { pathOfError, stepsIn, within, withPath } from './error-path.ts'
export { isObject } from './is-object.ts'
export { createSum } from './exact-sum.ts'
export { isDateObject, isErrorLike, propertyOf } from './of-any-realm.ts'
export { codeSpan } from './code-span.ts'
export { formatIssue, formatIssues, formatPath, valueAt, type Issue } from './issue.ts'
export { issuesOf, type Schema } from './issues-of.ts'
export { formatPlace, offsetOf, parseJsonValues, type JsonValue } from './json-text.ts'
export { nearest, otherNames } from './nearest.ts'
export { formatUnknownName } from './unknown-name.ts'
export { validate, validateValue, type Fail, type Naming } from './validate.ts'
