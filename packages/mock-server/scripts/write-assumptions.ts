/** Writes the page of assumptions, for readers of the repository and for those who have only the package. */
import { writeFileSync } from 'node:fs'
import { assumptionsDocument, assumptionsPages } from './assumptions-document.ts'

for (const page of assumptionsPages) writeFileSync(page, assumptionsDocument)
