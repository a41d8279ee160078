import { readFileSync } from 'node:fs'
import { errorCodes } from '@guild-ledger/sdk'
import { expect, it } from 'vitest'
import { errorsPage, withErrorTable } from '../scripts/errors-document.ts'

const guide = readFileSync(errorsPage, 'utf8')

it('docs/errors.md has the table of all codes; if not, run pnpm docs:errors', () => {
  expect(guide).toBe(withErrorTable(guide))
})

it.each(Object.keys(errorCodes))('docs/errors.md has cause and remedy of %s', (code) => {
  expect(guide).toMatch(
    new RegExp(`^\\| \`${code}\` +\\| \\w.*? \\| \\w.*? \\| (author|manager| {7}) +\\| (yes| ) +\\|$`, 'm'),
  )
})
