import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

type Hash = (text: string) => string

/** SHA-256 in plain JavaScript, for browsers: theirs is asynchronous, and the mock responds synchronously. */
export const portableHash: Hash = (text) => bytesToHex(sha256(utf8ToBytes(text)))

/** The runtime's own SHA-256, in a tenth of the time: fast enough to hash the key of every request. */
const ownHash = (): Hash | undefined => {
  const { hash } = globalThis.process?.getBuiltinModule?.('node:crypto') ?? {}
  return hash && ((text) => hash('sha256', text, 'hex'))
}

let chosen: Hash | undefined

/** SHA-256 of a string, in hexadecimal; the same in every runtime. */
export const hashOf: Hash = (text) => (chosen ??= ownHash() ?? portableHash)(text)
