/** The steps of `.github/workflows/release.yml` that publish and announce, to be run as they are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const workflow = readFileSync(join(import.meta.dirname, '../../.github/workflows/release.yml'), 'utf8')

/** The script of the step with this name. */
export const scriptOf = (name: string): string => {
  const step = workflow.split(/^ {6}- /m).find((text) => text.startsWith(`name: ${name}\n`))
  const script = step?.split(/^ {8}run: \|\n/m)[1]
  if (script === undefined) throw new Error(`release.yml has no step "${name}" with a script`)
  return script
}
