/** Writes what the packages ship: the description of the service, and the schema of a file of assumptions. */
import { writeFileSync } from 'node:fs'
import { assumptionsSchemaText } from './assumptions-schema.ts'
import { openapiText } from './openapi/document.ts'

writeFileSync(new URL('../../sdk/openapi.json', import.meta.url), openapiText)
writeFileSync(new URL('../assumptions.schema.json', import.meta.url), assumptionsSchemaText)
