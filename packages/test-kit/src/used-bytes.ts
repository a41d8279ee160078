import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collectGarbage: (() => void) | undefined

/** How many bytes are in use, without garbage. */
export const usedBytes = (): number => {
  setFlagsFromString('--expose-gc')
  collectGarbage ??= runInNewContext('gc') as () => void
  collectGarbage()
  collectGarbage() // what the first one was already marking may be garbage by now
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
