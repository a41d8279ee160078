import type { IncomingMessage } from 'node:http'
import { inWords } from '@guild-ledger/sdk/contract'
import { suggestion } from '../assumptions/index.ts'
import { Refused } from './refused.ts'

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

const maxBytes = 64 * 1024 * 1024

/**
 * The body as text.
 *
 * @throws {Refused} It is too large.
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
    asked.once('end', () => resolve(Buffer.concat(pieces).toString()))
    asked.once('close', () => reject(new Refused(400, 'The body ended early.')))
  })

/**
 * The body as JSON.
 *
 * @throws {Refused} It is none.
 */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, `The body must be JSON, not ${inWords(text)}.`)
  }
}

/**
 * The body as an object with no field but these; nothing at all counts as none.
 *
 * @throws {Refused} It is not an object, or has another field.
 */
export const fieldsOf = (text: string, names: readonly string[]): Fields => {
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
 * A list.
 *
 * @throws {Refused} It is none.
 */
export const listOf = (name: string, value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new Refused(400, `${name} must be a list, not ${inWords(value)}.`)
}
