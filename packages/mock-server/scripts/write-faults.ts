/** Writes the table of kinds into the guide about faults. */
import { readFileSync, writeFileSync } from 'node:fs'
import { faultsPage, withKinds } from './faults-document.ts'

writeFileSync(faultsPage, withKinds(readFileSync(faultsPage, 'utf8')))
