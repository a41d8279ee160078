/** Writes the table of what is proven into the README. */
import { readFileSync, writeFileSync } from 'node:fs'
import { provenPage, withProofs } from './proven-document.ts'

writeFileSync(provenPage, withProofs(readFileSync(provenPage, 'utf8')))
