/** Writes the table of error codes into the guide about errors. */
import { readFileSync, writeFileSync } from 'node:fs'
import { errorsPage, withErrorTable } from './errors-document.ts'

writeFileSync(errorsPage, withErrorTable(readFileSync(errorsPage, 'utf8')))
