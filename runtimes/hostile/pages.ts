import {
  http,
  pageText,
  type Hostile,
  type HostileRequest,
  type HostileResponses,
  type PageValues,
  type Use,
} from './hostile.ts'

const paged = (use: Use, expected: readonly string[], values: (request: HostileRequest) => PageValues): Hostile => ({
  send: (request) => http(pageText({ page: request.page, limit: 10, ...values(request) })),
  use,
  expected,
})
const notFound = http('{"success":false,"message":"No transactions found for this guild"}', {}, '404 Not Found')
const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Pages that are valid one by one, and lie about the ledger. */
export const pages: HostileResponses = {
  'pages without end': paged('iterate', ['aborted'], ({ page }) => ({ from: page * 10, total: 1e9, totalPages: 1e8 })),
  'the largest number of pages': paged('iterate', ['aborted'], ({ page }) => ({
    from: page * 10,
    total: Number.MAX_SAFE_INTEGER,
    totalPages: Number.MAX_SAFE_INTEGER,
  })),
  'one page again and again': paged('iterate', ['pagination_stalled', 'result'], () => ({
    total: 1e6,
    totalPages: 1e5,
  })),
  'two pages in turns': paged('iterate', ['pagination_stalled', 'result'], ({ page }) => ({
    from: (page % 2) * 10,
    total: 1e6,
    totalPages: 1e5,
  })),
  'page 1 for every page': paged('iterate', ['pagination_stalled', 'result'], () => ({
    page: 1,
    total: 1e6,
    totalPages: 1e5,
  })),
  'a total that grows with each page': paged('iterate', ['pagination_stalled', 'aborted'], ({ page, count }) => ({
    from: page * 10,
    total: 100 * count,
    totalPages: 10 * count,
  })),
  'a total that wavers': paged('iterate', ['aborted', 'result', 'pagination_stalled'], ({ page, count }) => ({
    from: page * 10,
    total: 1e4 + (count % 2),
    totalPages: 1e3,
  })),
  'a total that shrinks with each page': paged(
    'iterate',
    ['aborted', 'result', 'pagination_stalled'],
    ({ page, count }) => ({
      from: page * 10,
      total: Math.max(0, 2000 - count * 20),
      totalPages: Math.max(0, 200 - count * 2),
    }),
  ),
  'pages that are empty against their totals': paged('iterate', ['result', 'pagination_stalled'], () => ({
    users: 0,
    total: 1e6,
    totalPages: 1e5,
  })),
  'negative totals': paged('iterate', ['result'], () => ({ total: -1, totalPages: -1 })),
  'a limit of 0': paged('iterate', ['invalid_response'], () => ({ limit: 0, total: 1e6, totalPages: 1e5 })),
  'a negative limit': paged('iterate', ['invalid_response'], () => ({ limit: -10, total: 1e6, totalPages: 1e5 })),
  'a huge limit': paged('iterate', ['result', 'pagination_stalled', 'aborted'], ({ page }) => ({
    from: page * 10,
    limit: 1e15,
    total: 1e6,
    totalPages: 1e5,
  })),
  'more users than the limit': paged('iterate', ['invalid_response'], () => ({
    users: 2000,
    total: 1e6,
    totalPages: 1e5,
  })),
  'more transactions than the limit on the second page': paged('iterate', ['invalid_response'], ({ page }) => ({
    users: 2,
    each: page === 1 ? 5 : 1000,
    from: page * 10_000,
    total: 1e6,
    totalPages: 1e5,
  })),
  'a name of 500 KB': paged('iterate', ['result'], () => ({ users: 1, name: 'x'.repeat(500_000) })),
  'not found after ten pages': {
    send: ({ page }) =>
      page > 10 ? notFound : http(pageText({ page, from: page * 10, limit: 10, total: 1e6, totalPages: 1e5 })),
    use: 'iterate',
    expected: ['result', 'pagination_stalled'],
  },
  'a watch of transactions in the year 9999': paged('watch', ['aborted'], () => ({
    createdAt: '9999-12-31T23:59:59.999Z',
  })),
  'a watch of transactions in the year 0000': paged('watch', ['aborted'], () => ({
    createdAt: '0000-01-01T00:00:00Z',
  })),
  'a watch of transactions of tomorrow': paged('watch', ['aborted'], ({ count }) => ({
    from: count * 10,
    createdAt: isoIn(864e5),
  })),
  'a watch of pages without end': paged('watch', ['aborted'], ({ page, count }) => ({
    from: count * 10,
    total: 1e9,
    totalPages: 1e8,
    createdAt: isoIn(-page),
  })),
  'a watch of pages of 500 KB': paged('watch', ['aborted'], ({ count }) => ({
    from: count * 10_000,
    limit: 10_000,
    users: 10,
    each: 250,
    createdAt: isoIn(0),
  })),
  'a watch with a Date that is none': {
    send: () => http(pageText({}), { date: 'tomorrow' }),
    use: 'watch',
    expected: ['aborted'],
  },
  'a watch with a Date of long ago': {
    send: () => http(pageText({ createdAt: isoIn(0) }), { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    use: 'watch',
    expected: ['aborted'],
  },
  ...Object.fromEntries(
    ['{"queuedMs":1e308}', 'null', '1', '"x"'].map((value) => [
      `pages with a field response: ${value}`,
      {
        send: ({ page }) => {
          const users = page > 10 ? 0 : 10
          const text = pageText({ page, users, from: page * 10, limit: 10, total: 100, totalPages: 10 })
          return http(`${text.slice(0, -1)},"response":${value},"then":1,"toJSON":1,"page":9}`)
        },
        use: 'iterate',
        expected: ['result'],
      } satisfies Hostile,
    ]),
  ),
}
