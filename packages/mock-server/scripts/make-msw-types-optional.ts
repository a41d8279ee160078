/** Lets the built types compile where MSW is not installed: there the type of a handler is `any`. Run after the build. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const mswImport = /^import (?:.* from )?'msw\/.*';$/gm
let changed = 0
for (const file of globSync(`${import.meta.dirname}/../dist/*.d.ts`)) {
  const text = readFileSync(file, 'utf8')
  const optional = text.replaceAll(mswImport, (line) => `// @ts-ignore: MSW may be missing\n${line}`)
  if (optional === text) continue
  writeFileSync(file, optional)
  changed++
}
if (changed === 0) throw new Error('No declaration file imports types of MSW: this script is no longer needed.')
