import { ConnectionError, statusFacts, withFacts, type GuildLedgerError } from '../errors/index.ts'
import { chainOf, reasonOf, statusOf, systemCodeOf } from './foreign-error.ts'

/** What a client knows of its service. */
export interface ServiceHistory {
  /** Whether a response was one of the service: its JSON. */
  hasServed: boolean
}

/** Origins that have responded to any client of this process: a program may make one for each request or guild. */
export const respondingOrigins = new Set<string>()

/** Completes an error about what is not of the service: after good responses it comes from a gateway, and is transient. */
export const transientOnceServed = <E extends GuildLedgerError>(error: E, { hasServed }: ServiceHistory): E =>
  hasServed ? withFacts(error, { actor: 'nobody', retryable: true }) : error

/** What a failed connection means. */
interface ConnectionFailure {
  /** What runtimes say, or their system code. */
  readonly pattern: RegExp
  /** The scheme of `baseUrl` to which the row applies; any without it. */
  readonly scheme?: 'http:'
  /** Whether a response was being read. */
  readonly isReading?: boolean
  readonly meaning: string
  /** Whether it is a mistake, against which no retry helps. By default, it is one until the origin has responded. */
  readonly isMistake?: boolean
}

/** The first row that matches counts. */
const connectionFailures: readonly ConnectionFailure[] = [
  {
    pattern: /\bbad port\b|ERR_UNSAFE_PORT|requests to port \d+ are blocked/i,
    meaning: '`fetch` does not allow the port of this address. Use another port in baseUrl',
    isMistake: true,
  },
  {
    pattern: /(?:response:? \(?|http code |statusCode=)407|(?:proxy|socks\d?).?auth/i,
    meaning: 'the proxy did not accept its user name and password. Check the settings of the proxy',
    isMistake: true,
  },
  {
    pattern: /(?:proxy response \(|bad response: |failed, response |http code |statusCode=)4(?!08|25|29)\d\d/i,
    meaning: 'the proxy refused to connect to this address. Check baseUrl and the proxy',
  },
  {
    pattern: /UND_ERR_INVALID_ARG|invalid on[A-Z]\w+ method|dispatch is not a function/,
    meaning:
      'the dispatcher is no `Agent` of undici, or one of another version. Pass the `fetch` of the same undici as option `fetch`',
    isMistake: true,
  },
  { pattern: /UND_ERR_(?:CLOSED|DESTROYED)/, meaning: 'the dispatcher is closed. Pass an open one' },
  {
    pattern:
      /MOCK_NOT_MATCHED|ERR_NOCK_NO_MATCH|No match for request|Disallowed net connect|fallback r(?:ule|esponse)|\[MSW\]|\[Polly\]/,
    meaning: 'a test double does not know this request. Add a handler for it',
    isMistake: true,
  },
  {
    pattern: /NotCapable|Requires net access|ERR_ACCESS_DENIED/,
    meaning: 'this process may not use the network. Start it with --allow-net',
    isMistake: true,
  },
  {
    pattern: /Too many (?:subrequests|API)|Subrequest depth|within global scope|on behalf of a different request/,
    meaning: 'this Worker may not send the request, as `cause` says. Send fewer for each event, and none outside of it',
    isMistake: true,
  },
  {
    pattern:
      /ENOTFOUND|ENODATA|EAI_NO(?:NAME|DATA)|name or service not known|name does not resolve|no address associated|nodename nor servname|no such host|(?:unable to|could ?n[o']t) resolve|hostname could not be found|NAME_NOT_RESOLVED/i,
    meaning: 'the host is unknown. Check baseUrl, and that this machine is online',
  },
  {
    pattern: /alert[ _]|fatal alert|CIPHER_MISMATCH|CLIENT_AUTH|unsupported.protocol|SSL error/i,
    meaning: 'no agreement on TLS, as `cause` says. Check baseUrl, and whether it asks for a certificate',
  },
  {
    pattern: /Expected HTTP\/|invalid HTTP version|Malformed_HTTP|INVALID_HTTP_RESPONSE/,
    meaning: 'no http at this address. Check the port of baseUrl',
  },
  {
    pattern: /cross-origin|CORS error/i,
    meaning: 'the service does not allow requests of this page (CORS). Send them from a server',
  },
  {
    pattern: /CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_|certificate/i,
    meaning: 'the certificate of this address is not valid. Check baseUrl, or have it renewed',
  },
  {
    pattern: /wrong.version.number|packet.length.too.long|EPROTO|SSL_PROTOCOL_ERROR|InvalidContentType/i,
    meaning: 'no https at this address. If the service speaks http there, baseUrl must begin with http://',
  },
  {
    pattern: /other side closed|ECONNRESET|socket hang up|closed unexpectedly/i,
    scheme: 'http:',
    isReading: false,
    meaning:
      'the connection was closed without a response. If the service speaks https there, baseUrl must begin with https://',
    isMistake: false,
  },
]

/** Names of errors that programs throw by mistake, and words of test doubles. Others may also be a failed connection. */
const mistakes = /^(?:Reference|Range|URI|Eval|Assertion|Expectation|Zod|DataClone)Error$/
const doubleWords = /expect\(|not (?:implemented|mocked)|unexpected request|no (?:handler was|route) defined/i
const mistakeWords =
  /is not (?:an? |of type|defined|iterable|callable)|instance ?of|undefined|\bnull\b|already (?:been )?(?:read|used)|unusable|disturbed|locked|illegal invocation|invalid url|failed to parse|read.?only|can't access|failed to execute|\.fetch:|fetch\(\) /i
const networkWords =
  /network|fetch|connect|socket|load failed|terminated|sending request|reading a body|input stream|timed?.?out|\b(?:tls|ssl|dns|host)\b|closed|abort|cancell?ed/i

/** Whether what `fetch` threw is a mistake in it: in a test double, or in a function around another `fetch`. */
const isProgrammingError = (chain: readonly Error[], hasResponded: boolean): boolean => {
  const [error = new Error()] = chain
  if (mistakes.test(error.name) || doubleWords.test(error.message)) return true
  if (chain.some((one) => /^ERR_(?:INVALID_(?!STATE)|METHOD)/.test(systemCodeOf(one)))) return true
  if (!/^(?:Type|Syntax)Error$/.test(error.name) || error.cause || systemCodeOf(error)) return false
  // Safari translates what it says of networks, and a gateway sends HTML. Once the origin has responded, the function is right.
  return mistakeWords.test(error.message) || !(hasResponded || networkWords.test(error.message))
}

/** Runtimes report a failed connection in five shapes: where the error was caught decides what it is, not its shape. */
export const toConnectionError = (label: string, url: string, cause: unknown, isReading: boolean): ConnectionError => {
  const chain = chainOf(cause)
  const said = chain.map((error) => `${error.name} ${error.message} ${systemCodeOf(error)}`)
  const { protocol, origin } = new URL(url)
  const hasResponded = respondingOrigins.has(origin)
  const known = connectionFailures.find(
    ({ pattern, scheme = protocol, isReading: during = isReading }) =>
      scheme === protocol && during === isReading && said.some((text) => pattern.test(text)),
  )
  const failed = (sentence: string, isMistake: boolean) => {
    const error = new ConnectionError(`${label} failed: ${sentence}.`, { cause })
    return withFacts(error, isMistake ? { actor: 'author', retryable: false } : { actor: 'nobody', retryable: true })
  }
  const reason = reasonOf(cause) || 'the connection failed'
  const status = chain.map(statusOf).find((one) => one !== undefined)
  if (status !== undefined) {
    const sentence = `\`fetch\` threw an error (${reason}) instead of returning the response with status ${status}. Make it return every response`
    return failed(sentence, !statusFacts(status).isTransient)
  }
  if (!known && isProgrammingError(chain, hasResponded)) {
    const sentence = `\`fetch\` threw ${chain[0]?.name}: ${reason}. Correct the function that the client has as \`fetch\``
    return failed(sentence, true)
  }
  // Chromium, Firefox and Safari say no more than this, whatever failed: a page must not learn of other origins.
  const isOfPage = !isReading && /^(?:Failed to fetch|NetworkError when|Load failed)/.test(reason)
  const cors = isOfPage ? ', and that the service allows requests of this page (CORS)' : ''
  const unknown = `${isReading ? 'the response broke off: ' : ''}${reason}. Check baseUrl and the network${cors}, or try again`
  return known ? failed(known.meaning, known.isMistake ?? !hasResponded) : failed(unknown, false)
}
