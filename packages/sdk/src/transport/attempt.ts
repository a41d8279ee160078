import { ConfigurationError, ResponseValidationError } from '../errors/index.ts'
import type { KeyHolder } from './key.ts'
import { refuse } from './refuse.ts'
import { createSend, type Call, type Received } from './send.ts'
import type { Settings } from './settings.ts'

/** A 2xx reply with its body parsed. */
export interface Reply {
  readonly status: number
  /** As they came: to be redacted before anyone sees them. */
  readonly headers: Headers
  readonly body: unknown
}

/** One attempt: rejects with an error that tells whether another one may do better. */
export type Attempt = (request: Request, call: Call) => Promise<Reply>

const parse = (text: string, endpoint: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const received = text === '' ? 'nothing' : `text that begins ${JSON.stringify(text.slice(0, 60))}`
    throw new ResponseValidationError(
      `The reply cannot be read: ${endpoint}: the body must be JSON; got ${received}. Check baseUrl, or try again.`,
      [{ path: '', expected: 'JSON', received }],
      text,
    )
  }
}

const withoutBody = new Set([101, 204, 205, 304])

/** What middleware sees of a reply: its own to read, and without the key should the service echo it. */
const shown = ({ status, headers, text }: Received, key: KeyHolder): Response =>
  new Response(withoutBody.has(status) ? null : text, { status, headers: key.redact.headers(headers) })

/** Reads what middleware returned. */
const takenBack = async (response: Response): Promise<Received> => {
  if (!(response instanceof Response) || response.bodyUsed) {
    const fault = response instanceof Response ? 'one whose body was read: return a clone' : 'something else'
    throw new ConfigurationError('middleware', `middleware must return a Response; it returned ${fault}`)
  }
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Makes one attempt: middleware around the request, and sense of the reply. */
export const createAttempt = (
  settings: Pick<Settings, 'throttle' | 'middleware' | 'retry'>,
  key: KeyHolder,
): Attempt => {
  const { middleware } = settings
  const send = createSend(settings, key)

  const refusalOf = ({ status, headers, text }: Received, { trace }: Call) =>
    refuse(status, key.redact.headers(headers), text, trace)

  const throughMiddleware = async (request: Request, call: Call): Promise<Received> => {
    const last = async (outgoing: Request) => {
      const received = await send(outgoing, call)
      if (received.status > 599) throw refusalOf(received, call) // more than a Response can hold
      return shown(received, key)
    }
    const onion = middleware.reduceRight<typeof last>((next, layer) => async (outgoing) => layer(outgoing, next), last)
    return takenBack(await onion(request))
  }

  return async (request, call) => {
    call.trace.attempts += 1
    const received = await (middleware.length > 0 ? throughMiddleware : send)(request, call)
    const { status, headers, text } = received
    if (status < 200 || status > 299) throw refusalOf(received, call)
    return { status, headers, body: parse(text, call.trace.endpoint) }
  }
}
