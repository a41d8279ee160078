import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const gzipAsync = promisify(gzip)

// A smaller body would not get smaller still.
const minBytes = 1024

/** Whether an `accept-encoding` header accepts gzip: by name or by `*`, and not with a weight of 0. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  if (!acceptEncoding) return false
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** Whether it pays to compress a body of this many bytes. */
export const isWorthGzip = (bytes: number): boolean => bytes >= minBytes

/** Compresses quickly rather than well: responses do not travel far. */
export const gzipBytes = async (bytes: Uint8Array): Promise<Uint8Array> =>
  gzipAsync(bytes, { level: constants.Z_BEST_SPEED })
