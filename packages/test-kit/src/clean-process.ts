/**
 * Runs before and after each test file of a process that runs several: each finds the process as if it were the first.
 * A file that leaves something replaced fails itself, instead of a later one.
 */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, vi } from 'vitest'

const names = [
  'clearInterval',
  'clearTimeout',
  'Date',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
]
const readState = (): Record<string, unknown> => ({
  ...Object.fromEntries(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])),
  'the working directory': process.cwd(),
  'the process-wide settings of the mock': Reflect.get(globalThis, Symbol.for('guild-ledger-mock.process-wide')),
  'Math.random': Math.random,
})

// Throttles that clients of an earlier file share.
const throttles = Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as
  | Map<string, unknown>
  | undefined
throttles?.clear()

const before = readState()

afterAll(() => {
  // After each file, Vitest itself restores only spies and replaced modules.
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  const replaced = Object.entries(readState()).filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
  if (replaced.length > 0) throw new Error(`A test leaves this replaced: ${replaced.map(([name]) => name).join(', ')}`)
})
