import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refused } from './refused.ts'

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/i

/** Whether an address or host name is of this machine only. */
export const isLoopback = (host: string): boolean => loopback.test(host.replace(/^\[|\]$/g, ''))

const hostOf = (header = ''): string => header.replace(/:\d+$/, '')

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const same = (a: string, b: string) => timingSafeEqual(hashOf(a), hashOf(b))

/**
 * Lets a request in: with the token where there is one, else from this machine only, and not sent by a web page of
 * another origin or through a name that was made to point here.
 *
 * @throws {Refused} It may not.
 */
export const admit = ({ headers, socket }: IncomingMessage, token: string | undefined): void => {
  if (token !== undefined) {
    if (same(headers.authorization ?? '', `Bearer ${token}`)) return
    throw new Refused(401, 'The admin API needs the header "authorization: Bearer" with the token of --admin-token.', {
      'www-authenticate': 'Bearer',
    })
  }
  const { host, origin } = headers
  if (!isLoopback(socket.localAddress ?? '') || !isLoopback(hostOf(host))) {
    throw new Refused(403, 'The admin API answers on loopback only unless it is given a token: use --admin-token.')
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refused(403, 'The admin API does not answer web pages of another origin unless it is given a token.')
  }
}
