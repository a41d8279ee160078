import { PaginationError, ResponseValidationError } from '../errors/index.ts'
import { failedAt, type PageResult } from './page-result.ts'

export const endless = (page: PageResult<unknown>, reason: string) =>
  failedAt(
    page,
    new PaginationError(
      'pagination_stalled',
      `Pagination does not end: ${reason}. Narrow the query, or continue from this page.`,
    ),
  )

export const stalled = (page: PageResult<unknown>) =>
  failedAt(
    page,
    new PaginationError(
      'pagination_stalled',
      `Pagination cannot continue: requested page ${page.page} of ${page.lastPage}, got page ${page.servedPage}. ` +
        'Narrow the query, or raise its limit.',
    ),
  )

/** The service sent more results than it says fit on a page: the paginator cannot count pages then. */
export const tooMany = (page: PageResult<unknown>) => {
  const expected = `at most ${page.limit} results, as pagination.limit says`
  const received = `${page.count} transactions`
  return failedAt(
    page,
    new ResponseValidationError(
      `Pagination cannot continue: page ${page.page} must have ${expected}, got ${received}. Report it, or use list.`,
      [{ path: 'data', expected, received }],
      page.response,
    ),
  )
}

export const nothingFound = (page: PageResult<unknown>) =>
  failedAt(
    page,
    new PaginationError(
      'no_results',
      "Nothing was found: the service responded with an empty page, and `onEmpty` is 'throw'. Widen the filters, or use onEmpty: 'end'.",
    ),
  )
