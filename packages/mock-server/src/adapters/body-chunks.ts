import type { BodyFault, Wait } from '../http.ts'

/** Thrown after the last chunk of a body whose connection breaks. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection'
}

/** Where a body is truncated: before its end, whatever was asked for. */
export const truncatedLength = (length: number, bytes: number | undefined): number =>
  Math.max(0, Math.min(bytes ?? Math.floor(length / 2), length - 1))

/**
 * The chunks of a body as a fault lets them through.
 *
 * @throws {BrokenConnection} The connection breaks after the last chunk.
 * @throws The reason of `signal`, once it has aborted.
 */
export async function* bodyChunks(
  body: Uint8Array<ArrayBuffer>,
  fault: BodyFault,
  wait: Wait,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (fault.kind === 'truncate') {
    const length = truncatedLength(body.length, fault.bytes)
    if (length > 0) yield body.subarray(0, length)
    throw new BrokenConnection()
  }
  for (let at = 0; at < body.length; at += fault.chunkBytes) {
    if (at > 0) await wait(fault.intervalMs, signal)
    signal.throwIfAborted()
    yield body.subarray(at, at + fault.chunkBytes)
  }
}
