import type { IncomingMessage } from 'node:http'
import { any, array, describeValue, validate, validateValue, type Fail } from '@guild-ledger/validation'
import { HttpError } from './http-error.ts'
import type { AdminRequest, AdminRoute, Fields } from './route.ts'

const maxBytes = 64 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the body as text.
 *
 * @throws {HttpError} It is too large, ends early or is not UTF-8.
 */
export const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const collect = (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= maxBytes) return
      request.off('data', collect)
      request.resume() // drains the rest, so that the client gets to read the response
      chunks.length = 0
      reject(new HttpError(413, `The body is larger than ${maxBytes} bytes: load it in parts.`))
    }
    request.on('data', collect)
    request.once('end', () => {
      try {
        resolve(utf8.decode(Buffer.concat(chunks)))
      } catch {
        reject(new HttpError(400, 'The body must be UTF-8 text.'))
      }
    })
    request.once('close', () => reject(new HttpError(400, 'The body ended early.')))
  })

// Deeper values overflow the stack when they are written as JSON again.
const maxDepth = 64

// A value takes up to 50 bytes of memory. A transaction has nine.
const maxValues = 2_000_000

/** Scans the text instead of parsing it: parsing millions of brackets would block the server for half a minute. */
const checkSize = (text: string): void => {
  let depth = 0
  let values = 0
  let quoted = false
  for (let at = 0; at < text.length && depth <= maxDepth && values <= maxValues; at++) {
    const sign = text[at]
    if (quoted && sign === '\\') at++
    else if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === ',') values++
    else if (sign === '[' || sign === '{') {
      depth++
      values++
    } else if (sign === ']' || sign === '}') depth--
  }
  if (depth > maxDepth) throw new HttpError(400, `The body must not be nested deeper than ${maxDepth} levels.`)
  if (values > maxValues) {
    throw new HttpError(413, `The body has more than ${maxValues} values: load transactions as NDJSON, or in parts.`)
  }
}

const parseJson = (text: string): unknown => {
  checkSize(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, `The body must be JSON, got ${describeValue(text)}.`)
  }
}

const fail: Fail = (_path, message) => {
  throw new HttpError(400, message)
}

const parseFields = (text: string, names: readonly string[]): Fields => {
  const known = Object.fromEntries(names.map((name) => [name, any]))
  return validate(known, (text.trim() === '' ? {} : parseJson(text)) as Fields, fail, { noun: 'field', label: 'body' })
}

/**
 * Parses a body as the route declares it. An empty body counts as an object without fields.
 *
 * @throws {HttpError} It is not JSON, is nested too deep, is not an object, or has an unknown field.
 */
export const parseBody = ({ requestBody }: AdminRoute, text: string): Pick<AdminRequest, 'fields' | 'body'> => {
  if (requestBody && 'text' in requestBody) return { fields: {}, body: text }
  if (requestBody && 'json' in requestBody) return { fields: {}, body: parseJson(text) }
  return { fields: parseFields(text, Object.keys(requestBody?.fields ?? {})), body: undefined }
}

/**
 * Returns a value that has to be an array.
 *
 * @throws {HttpError} It is not.
 */
export const requireArray = (name: string, value: unknown): readonly unknown[] => {
  validateValue(array, name, value, fail)
  return value as readonly unknown[]
}
