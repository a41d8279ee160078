/**
 * Writes the next versions and changelogs, as `changeset version` does, and removes from READMEs and guides what holds only
 * until the first release: the lines from `<!-- until the first release -->` to `<!-- /until the first release -->`.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

execFileSync('changeset', ['version'], { stdio: 'inherit' })
const untilFirstRelease = /<!-- until the first release -->\n.*?<!-- \/until the first release -->\n\n?/gs
for (const file of globSync('{README.md,docs/*.md,packages/*/README.md}')) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(untilFirstRelease, ''))
}
