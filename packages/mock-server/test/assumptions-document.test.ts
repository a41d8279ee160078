import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assumptionsDocument } from '../scripts/assumptions-document.ts'

it('docs/assumptions.md is up to date; if not, run pnpm docs:assumptions', () => {
  const written = readFileSync(new URL('../../../docs/assumptions.md', import.meta.url), 'utf8')

  expect(written).toBe(assumptionsDocument)
})
