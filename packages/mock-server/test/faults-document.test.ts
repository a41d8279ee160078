import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faultsPage, withKinds } from '../scripts/faults-document.ts'

it('docs/faults.md has the table of all kinds; if not, run pnpm docs:faults', () => {
  const guide = readFileSync(faultsPage, 'utf8')

  expect(guide).toContain("| `'internal-error'`")
  expect(guide).toBe(withKinds(guide))
})
