import { assumeVariable } from '../assumptions/process-wide.ts'
import { formatAssumptions } from '../assumptions/alternatives.ts'
import type { Assumptions } from '../assumptions/values.ts'

/** Quotes what a POSIX shell would not take as it is. */
const shellQuoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The command that runs one test again. `name` joins the names of its suites and its own with ` > `. */
export const replayLine = (file: string, name: string, values: Partial<Assumptions>): string => {
  const assumptions = formatAssumptions(values)
  // Vitest takes the name for a regular expression; a report in lines cannot show control characters or halves of characters.
  const pattern = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/[\p{Cc}\p{Cs}]/gu, '[^]')
  const option = pattern.startsWith('-') ? shellQuoted(`--testNamePattern=${pattern}`) : `-t ${shellQuoted(pattern)}`
  const variable = assumptions === '' ? '' : `${assumeVariable}=${shellQuoted(assumptions)} `
  return `${variable}npx vitest run ${shellQuoted(file)} ${option}`
}
