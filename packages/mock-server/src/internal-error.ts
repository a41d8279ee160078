import { formatErrorBody, type MockResponse } from './http.ts'

const nameOf = (cause: unknown): string => (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause))

/**
 * The mock itself failed, not the service that it simulates. In process, requests reject with it; over HTTP it becomes a
 * 500 that names the cause.
 */
export class MockInternalError extends Error {
  /** Always `MockInternalError`. */
  override readonly name: string = 'MockInternalError'

  constructor(cause: unknown) {
    super(`The mock itself failed, this is no response of the service. ${nameOf(cause)}`, { cause })
  }
}

/** The error as one of the mock: the same where it is one already. */
export const toInternalError = (error: unknown): MockInternalError =>
  error instanceof MockInternalError ? error : new MockInternalError(error)

/** The response where an error cannot be thrown to the client. It has no message of the service. */
export const internalErrorResponse = (error: unknown): MockResponse => ({
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: formatErrorBody(toInternalError(error).message),
  rejectedBy: 'internal error',
})

/** Reports the error with its stack and that of its cause, as nobody expects it and few clients show a body. */
export const reportInternalError = (error: unknown): void => {
  // oxlint-disable-next-line no-console
  console.error(toInternalError(error))
}
