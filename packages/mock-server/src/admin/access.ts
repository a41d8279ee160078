import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isLoopback, isLoopbackHost } from '../adapters/node/host-names.ts'
import { HttpError } from './route.ts'

// Compares hashes, because `timingSafeEqual` needs values of equal length.
const hash = (text: string) => createHash('sha256').update(text).digest()
const equal = (a: string, b: string) => timingSafeEqual(hash(a), hash(b))

/**
 * Authorizes a request. With a token, the request must carry it. Without one, the request must come from this machine,
 * must not come from a web page of another origin, and its `Host` must be a loopback name (against DNS rebinding).
 *
 * @throws {HttpError} 401 or 403.
 */
export const authorize = ({ headers, socket }: IncomingMessage, token: string | undefined): void => {
  if (token !== undefined) {
    if (equal(headers.authorization ?? '', `Bearer ${token}`)) return
    const message = 'The admin API needs the header "authorization: Bearer" with the token of --admin-token.'
    throw new HttpError(401, message, { 'www-authenticate': 'Bearer' })
  }
  const { host, origin } = headers
  if (!isLoopback(socket.localAddress ?? '') || !isLoopbackHost(host)) {
    throw new HttpError(403, 'Without a token the admin API is available on loopback only: use --admin-token.')
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HttpError(403, 'Without a token the admin API rejects web pages of another origin: use --admin-token.')
  }
}
