/** Writes the definitions of the assumptions into their guide. */
import { readFileSync, writeFileSync } from 'node:fs'
import { assumptionsPage, withAssumptions } from './assumptions-document.ts'

writeFileSync(assumptionsPage, withAssumptions(readFileSync(assumptionsPage, 'utf8')))
