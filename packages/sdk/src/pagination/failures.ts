import { PaginationError, ResponseValidationError } from '../errors/index.ts'
import { failedAt, type PageResult } from './page-result.ts'

const stalled = (page: PageResult, message: string) =>
  failedAt(page, new PaginationError('pagination_stalled', message))

export const endless = (page: PageResult, reason: string) =>
  stalled(page, `Pagination does not end: ${reason}. Narrow the query, or continue from this page.`)

export const otherPage = (page: PageResult) =>
  stalled(
    page,
    `Pagination cannot continue: requested page ${page.page} of ${page.lastPage}, got page ${page.servedPage}. ` +
      'Narrow the query, or raise its limit.',
  )

/** The service sent more results than it says fit on a page: the paginator cannot count pages then. */
export const tooMany = (page: PageResult) => {
  const expected = `at most ${page.limit} results, as pagination.limit says`
  const received = `${page.count} transactions`
  const message = `Pagination cannot continue: page ${page.page} must have ${expected}, got ${received}. Report it, or use list.`
  return failedAt(page, new ResponseValidationError(message, [{ path: 'data', expected, received }], page.response))
}

export const nothingFound = (page: PageResult) => {
  const found = "Nothing was found: the service responded with an empty page, and `onEmpty` is 'throw'."
  return failedAt(page, new PaginationError('no_results', `${found} Widen the filters, or use onEmpty: 'end'.`))
}
