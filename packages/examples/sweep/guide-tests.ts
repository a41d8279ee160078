import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
// Inside this package, so that imports resolve as in a user's project.
const folder = resolve(import.meta.dirname, '../out/swept-guides')

/** Writes the tests that the guides show to files of their own, for a sweep of them. */
export const writeGuideTests = (): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const document of globSync(['*.md', 'docs/*.md', 'packages/*/*.md'], { cwd: root }).toSorted()) {
    const snippets = readFileSync(join(root, document), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)
    for (const [nth, [, code = '']] of [...snippets].entries()) {
      // One of them shows the message of a failing test.
      if (!code.includes("from 'vitest'") || /\/\/ fails$/m.test(code)) continue
      const name = `${document.replaceAll('/', '-').replace('.md', '')}-${nth + 1}.test.ts`
      writeFileSync(join(folder, name), code)
    }
  }
}
