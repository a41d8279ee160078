/** Writes the page of assumptions, and the remedies in the guide about unspecified behaviour. */
import { readFileSync, writeFileSync } from 'node:fs'
import { assumptionsDocument, assumptionsPage, remediesPage, withRemedies } from './assumptions-document.ts'

writeFileSync(assumptionsPage, assumptionsDocument)
writeFileSync(remediesPage, withRemedies(readFileSync(remediesPage, 'utf8')))
