import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const gzipped = promisify(gzip)

// A smaller body would not get smaller still.
const smallestBytes = 1024

/** Whether an `accept-encoding` header asks for gzip: named, or meant by `*`, and not with a weight of 0. */
export const asksForGzip = (acceptEncoding: string | undefined): boolean => {
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

/** Whether it pays to compress a body of so many bytes. */
export const worthGzip = (bytes: number): boolean => bytes >= smallestBytes

/** Compresses quickly rather than well: replies do not travel far. */
export const compress = async (bytes: Uint8Array): Promise<Uint8Array> =>
  gzipped(bytes, { level: constants.Z_BEST_SPEED })
