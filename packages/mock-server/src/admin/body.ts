import type { IncomingMessage } from 'node:http'
import { any, array, describeValue, validate, validateValue, type Fail } from '@guild-ledger/validation'
import { HttpError, type AdminRequest, type Route } from './route.ts'

const maxBytes = 64 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // The rest is read, too, so that the client gets to read the response.
      if (bytes <= maxBytes) chunks.push(chunk)
    }
  } catch {
    throw new HttpError(400, 'The body ended early.')
  }
  if (bytes > maxBytes) throw new HttpError(413, `The body is larger than ${maxBytes} bytes: load it in parts.`)
  try {
    return utf8.decode(Buffer.concat(chunks))
  } catch {
    throw new HttpError(400, 'The body must be UTF-8 text.')
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, `The body must be JSON, got ${describeValue(text)}.`)
  }
}

const fail: Fail = (_path, message) => {
  throw new HttpError(400, message)
}

const parseFields = (text: string, names: readonly string[]): object => {
  const known = Object.fromEntries(names.map((name) => [name, any]))
  return validate(known, (text.trim() === '' ? {} : parseJson(text)) as object, fail, { noun: 'field', label: 'body' })
}

/** Parses a body as the route declares it. An empty body counts as an object without fields. */
export const parseBody = ({ body = [] }: Route, text: string): Pick<AdminRequest, 'fields' | 'body'> => {
  const parsed = body === 'text' ? text : body === 'json' ? parseJson(text) : undefined
  return { fields: (Array.isArray(body) ? parseFields(text, body) : {}) as never, body: parsed as never }
}

export const requireArray = (name: string, value: unknown): readonly unknown[] => {
  validateValue(array, name, value, fail)
  return value as readonly unknown[]
}
