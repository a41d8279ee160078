import { assumeVariable, formatAssumptions, type Assumptions } from '../../assumptions/index.ts'
import { shellQuoted } from '../shell-quoted.ts'

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
  // Vitest takes the name for a regular expression.
  const pattern = shellQuoted(name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  const variable = assumptions === '' ? '' : `${assumeVariable}=${shellQuoted(assumptions)} `
  return [`${variable}npx vitest run ${shellQuoted(file)} -t ${pattern}`, ...options.map(shellQuoted)].join(' ')
}
