/** As much of a mock ledger as is needed to send requests to it. */
interface Mock {
  readonly apiKey: string
  respond(request: { readonly method: string; readonly target: string; readonly apiKey: string }): {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Path of the list-all endpoint. Spec: Endpoints, 1. */
export const listAll = '/guild/ledger/transactions'

/** Sends a GET to a mock, in process. `message` and `total` are those of the response body. */
export const sendToMock = (mock: Mock, apiKey = mock.apiKey, target = listAll) => {
  const { status, headers, body } = mock.respond({ method: 'GET', target, apiKey })
  const { message, pagination } = JSON.parse(body) as { message?: string; pagination?: { total: number } }
  return { status, headers, message, total: pagination?.total }
}

/** The statuses of several such requests in a row. */
export const statusesFrom = (mock: Mock, count: number, apiKey = mock.apiKey): number[] =>
  Array.from({ length: count }, () => sendToMock(mock, apiKey).status)
