export type { Batch } from './entries.ts'
export { isTransient, retryDelayMs, type PageRetry } from './page-retry.ts'
export { singleUse, type Paginator } from './single-use.ts'
export { type Drift, type IterateOptions, type PaginationOptions } from './options.ts'
export {
  groupsOf,
  identityOf,
  isNothingFound,
  type Pageable,
  type PageResult,
  type PaginatedPage,
} from './page-result.ts'
export { batches, iterate, pages } from './paginate.ts'
