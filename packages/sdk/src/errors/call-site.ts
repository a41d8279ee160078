import { GuildLedgerError } from './any.ts'

/** Where a method was called: captured now, written out when it is needed. */
export interface CallSite {
  readonly stack?: string
}

/** A method of the public interface: the object that has it and its name, or the class of a constructor. */
export type Entry = readonly [owner: object, method?: PropertyKey]

/** Captures the stack of the caller of a method, without the frames of this package. */
export const callSite = ([owner, method]: Entry): CallSite => {
  const site: CallSite = {}
  const entry: unknown = method === undefined ? owner : Reflect.get(owner, method)
  Error.captureStackTrace?.(site, entry as () => void)
  return site
}

/** The frames of a stack as engines with V8's format write them, without those of the runtime. */
const framesOf = ({ stack }: CallSite): string[] =>
  typeof stack === 'string' ? (stack.match(/^ +at (?!.*\(node:internal\/).*$/gm) ?? []) : []

/** Makes the stack of an error of this package lead to the first of the call sites with a frame of the program itself. */
export const leadTo = (error: unknown, ...sites: readonly (CallSite | undefined)[]): unknown => {
  if (!GuildLedgerError.is(error)) return error
  const stacks = sites.map((site) => (site ? framesOf(site) : []))
  const frames = stacks.find((found) => found.some((frame) => !/node_modules|Promise\./.test(frame)))
  if (!frames) return error
  const value = [`${error.name}: ${error.message}`, ...frames].join('\n')
  Reflect.defineProperty(error, 'stack', { value, configurable: true, writable: true })
  return error
}

/** Calls `work`; what it throws leads to the caller of `entry`. */
export const fromCallerSync = <T>(entry: Entry, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw leadTo(error, callSite(entry))
  }
}

/** The same for an asynchronous call. */
export const fromCaller = async <T>(entry: Entry, work: () => Promise<T>): Promise<T> => {
  const site = callSite(entry)
  try {
    return await work()
  } catch (error) {
    throw leadTo(error, site)
  }
}
