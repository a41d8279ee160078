import type { IncomingMessage } from 'node:http'
import { inWords } from '@guild-ledger/sdk/contract'
import { suggestion } from '../assumptions/index.ts'
import { Refused } from './refused.ts'
import type { Call, Fields, Verb } from './verb.ts'

const maxBytes = 64 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body as text.
 *
 * @throws {Refused} It is too large, ends early or is not in UTF-8.
 */
export const textOf = (asked: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const take = (piece: Buffer) => {
      bytes += piece.length
      pieces.push(piece)
      if (bytes <= maxBytes) return
      asked.off('data', take)
      asked.resume() // read and thrown away, so that the refusal arrives
      pieces.length = 0
      reject(new Refused(413, `The body is larger than ${maxBytes} bytes: load it in parts.`))
    }
    asked.on('data', take)
    asked.once('end', () => {
      try {
        resolve(utf8.decode(Buffer.concat(pieces)))
      } catch {
        reject(new Refused(400, 'The body must be text in UTF-8.'))
      }
    })
    asked.once('close', () => reject(new Refused(400, 'The body ended early.')))
  })

// Much deeper, and nothing could write down again what was read.
const maxDepth = 64

/** Looks at the text, as taking millions of brackets apart would keep the server busy for half a minute. */
const isDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length && depth <= maxDepth; at++) {
    const sign = text[at]
    if (quoted && sign === '\\') at++
    else if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '[' || sign === '{')) depth++
    else if (!quoted && (sign === ']' || sign === '}')) depth--
  }
  return depth > maxDepth
}

const jsonOf = (text: string): unknown => {
  if (isDeep(text)) throw new Refused(400, `The body must not be nested deeper than ${maxDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, `The body must be JSON, not ${inWords(text)}.`)
  }
}

const fieldsOf = (text: string, names: readonly string[]): Fields => {
  const given = text.trim() === '' ? {} : jsonOf(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Refused(400, `The body must be a JSON object, not ${inWords(given)}.`)
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return given as Fields
  const help = names.length > 0 ? suggestion(unknown, names) : 'this verb takes none.'
  throw new Refused(400, `Unknown field ${inWords(unknown)}: ${help}`)
}

/**
 * A body as a verb takes it. For fields, nothing at all counts as none.
 *
 * @throws {Refused} It is no JSON, nested too deep, no object where fields are taken, or has a field that is not.
 */
export const bodyFor = ({ takes }: Verb, text: string): Pick<Call, 'fields' | 'body'> => {
  if (takes && 'text' in takes) return { fields: {}, body: text }
  if (takes && 'json' in takes) return { fields: {}, body: jsonOf(text) }
  return { fields: fieldsOf(text, Object.keys(takes?.fields ?? {})), body: undefined }
}

/**
 * A list.
 *
 * @throws {Refused} It is none.
 */
export const listOf = (name: string, value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new Refused(400, `${name} must be a list, not ${inWords(value)}.`)
}
