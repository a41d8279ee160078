import { assumeVariable, formatAssumptions, type Assumptions } from '../../assumptions/index.ts'
import { shellQuoted } from '../shell-quoted.ts'

/** How to run a test of a browser again. */
export const replayInBrowser = (values: Partial<Assumptions>): string =>
  `Add assumptions: ${JSON.stringify(values)} to the options of createMockLedger in this test: a page has no environment variables.`

/**
 * The command that runs one test again. `name` joins the names of its suites and its own with ` > `; `options` are
 * those of Vitest.
 */
export const replayLine = (
  file: string,
  name: string,
  values: Partial<Assumptions>,
  options: readonly string[] = [],
): string => {
  const assumptions = formatAssumptions(values)
  // Vitest takes the name for a regular expression; a report in lines cannot show control characters or halves of characters.
  const pattern = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/[\p{Cc}\p{Cs}]/gu, '[^]')
  const option = pattern.startsWith('-') ? shellQuoted(`--testNamePattern=${pattern}`) : `-t ${shellQuoted(pattern)}`
  const variable = assumptions === '' ? '' : `${assumeVariable}=${shellQuoted(assumptions)} `
  return [`${variable}npx vitest run ${shellQuoted(file)} ${option}`, ...options.map(shellQuoted)].join(' ')
}
