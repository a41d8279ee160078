import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { usageError } from '../exit.ts'
import { secretIn } from '../flags.ts'

/** An error response of the gateway itself. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const isLoopback = (host: string): boolean =>
  /^(([\w-]+\.)*localhost\.?|\[?((::ffff:)?127(\.\d+){3}|::1)\]?)$/i.test(host)
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Who may use the gateway. `tokens` are options of the form NAME=ENV. */
export const createAccess = (host: string, tokens: readonly string[]) => {
  const digests = tokens.map((token) => {
    const [, name, variable] = /^([\w.-]+)=(.+)$/s.exec(token) ?? []
    if (name === undefined || variable === undefined)
      throw usageError('`--token` must be NAME=ENV: who it is for, and the environment variable that holds it.')
    return digest(secretIn('--token', variable, `the token of ${name}`))
  })
  if (!isLoopback(host) && digests.length === 0)
    throw usageError(
      `--host ${host} can be reached from other machines: give each client a token with --token NAME=ENV.`,
    )

  /** @throws {HttpError} The request is not allowed. */
  return (headers: IncomingHttpHeaders, path: string): void => {
    // A web page reaches a server on loopback under a name of its own that leads there, but knows no token. It always
    // sends `Host`; the checks of load balancers do not. It sends simple requests to any server.
    const name = headers.host?.replace(/:\d*$/, '')
    if (digests.length === 0 && name && !isLoopback(name))
      throw new HttpError(403, 'Forbidden - without --token, the header Host must name a loopback address')
    if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
      throw new HttpError(403, 'Forbidden - web pages cannot use this gateway')
    if (digests.length === 0 || path === '/health') return
    const [, bearer] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
    const given = digest(bearer ?? String(headers['x-api-key'] ?? ''))
    // All are compared, whichever fits: the time must not tell.
    const fitting = digests.filter((one) => timingSafeEqual(one, given))
    if (fitting.length === 0) throw new HttpError(401, 'Unauthorized - invalid token')
  }
}
