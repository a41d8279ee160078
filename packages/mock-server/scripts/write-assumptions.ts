/** Writes docs/assumptions.md. */
import { writeFileSync } from 'node:fs'
import { assumptionsDocument } from './assumptions-document.ts'

writeFileSync(new URL('../../../docs/assumptions.md', import.meta.url), assumptionsDocument)
