import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assumptionsPage, withAssumptions } from '../scripts/assumptions-document.ts'
import { faultsPage, withKinds } from '../scripts/faults-document.ts'
import { provenPage, withProofs } from '../scripts/proven-document.ts'

it.each([
  ['docs:assumptions', assumptionsPage, withAssumptions, '> Whether page and limit count user groups or individual'],
  ['docs:faults', faultsPage, withKinds, "| `'internal-error'`"],
  ['docs:proven', provenPage, withProofs, '`model.test.ts`'],
])('the page of %s is up to date; if not, run that script', (_script, page, withGenerated, part) => {
  const text = readFileSync(page, 'utf8')

  expect(text).toContain(part)
  expect(text).toBe(withGenerated(text))
})
