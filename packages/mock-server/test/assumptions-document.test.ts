import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assumptionsDocument, assumptionsPage, remediesPage, withRemedies } from '../scripts/assumptions-document.ts'

it('docs/assumptions.md is up to date; if not, run pnpm docs:assumptions', () => {
  expect(readFileSync(assumptionsPage, 'utf8')).toBe(assumptionsDocument)
})

it('docs/left-open.md lists the remedy of every assumption; if not, run pnpm docs:assumptions', () => {
  const guide = readFileSync(remediesPage, 'utf8')

  expect(guide).toContain('- `pageUnit`: Paginate with `iterate()`')
  expect(guide).toBe(withRemedies(guide))
})
