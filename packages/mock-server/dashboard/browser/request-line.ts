import type { LoggedRequest } from '../../src/request-log/request-log.ts'

/** Method, path and query string of a logged request, as a client would write them. */
export const requestLine = ({ method, path, query }: LoggedRequest): string => {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const search = new URLSearchParams(pairs).toString()
  return `${method} ${path}${search && `?${search}`}`
}
