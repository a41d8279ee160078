import type { ScriptedFault } from '../index.ts'

/** What to do about a fault that no request met, once its test has passed. */
export type OnUnusedFault = 'warn' | 'fail' | 'ignore'

const line = ({ fault, waits }: ScriptedFault): string => {
  const why =
    waits > 0 ? `${waits} more matching requests would have passed first` : 'no request that it changes matched'
  return `  ${JSON.stringify(fault)}: ${why}`
}

/** The faults that never happened, one on each line. */
export const formatUnusedFaults = (unused: readonly ScriptedFault[]): string[] =>
  unused.length > 0 ? ['Faults that never happened:', ...unused.map(line)] : []
