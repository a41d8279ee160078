export { givenOf } from './check-query.ts'
export { customPath } from './custom-path.ts'
export type { Operation } from './operation.ts'
export * from './transactions.ts'
