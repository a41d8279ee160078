import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assumptionsPage, withAssumptions } from '../scripts/assumptions-document.ts'

it('docs/assumptions.md is up to date; if not, run pnpm docs:assumptions', () => {
  const guide = readFileSync(assumptionsPage, 'utf8')

  expect(guide).toContain('> Whether page and limit count user groups or individual transactions: not shown.')
  expect(guide).toBe(withAssumptions(guide))
})
