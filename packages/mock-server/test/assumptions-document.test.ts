import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assumptionsDocument, assumptionsPages } from '../scripts/assumptions-document.ts'

it.each(assumptionsPages.map((page) => [page.pathname.split('/').slice(-2).join('/'), page] as const))(
  '%s is up to date; if not, run pnpm docs:assumptions',
  (_name, page) => {
    expect(readFileSync(page, 'utf8')).toBe(assumptionsDocument)
  },
)
