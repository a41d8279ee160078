/** Writes what the packages ship: descriptions of the service and of the admin API, and schemas of the mock's files. */
import { writeFileSync } from 'node:fs'
import { adminOpenapiText } from './admin-openapi/document.ts'
import { fileSchemas } from './file-schemas.ts'
import { openapiText } from './openapi/document.ts'

writeFileSync(new URL('../../sdk/openapi.json', import.meta.url), openapiText)
writeFileSync(new URL('../admin.openapi.json', import.meta.url), adminOpenapiText)
for (const [name, text] of Object.entries(fileSchemas)) writeFileSync(new URL(`../${name}`, import.meta.url), text)
