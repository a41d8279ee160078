/** Lets the built types compile where MSW is not installed: there the type of a handler is `any`. Run after the build. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

const folder = new URL('../dist/', import.meta.url)
const mswImport = /^import .* from 'msw\/.*';$/gm
const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'))
const withMsw = files.filter((name) => mswImport.test(readFileSync(new URL(name, folder), 'utf8')))
if (withMsw.length === 0) throw new Error('No declaration file imports types of MSW: this script is no longer needed.')
for (const name of withMsw) {
  const file = new URL(name, folder)
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replaceAll(mswImport, (line) => `// @ts-ignore: MSW may be missing\n${line}`),
  )
}
