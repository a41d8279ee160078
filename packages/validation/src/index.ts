/**
 * Checks of what callers pass and of what the service responds, and the one wording of their messages. A private package:
 * the published ones have it in their bundles.
 */
export * from './check.ts'
export * from './code-span.ts'
export * from './create-checker.ts'
export * from './decode-text.ts'
export * from './describe-range.ts'
export * from './describe-value.ts'
export * from './error-path.ts'
export * from './exact-sum.ts'
export * from './is-object.ts'
export * from './issue.ts'
export * from './issues-of.ts'
export * from './json-text.ts'
export * from './nearest.ts'
export * from './of-any-realm.ts'
export * from './unknown-name.ts'
export * from './validate.ts'
