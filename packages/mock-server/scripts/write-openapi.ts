/** Writes the OpenAPI descriptions that the packages ship: of the service, and of the admin API of the mock server. */
import { writeFileSync } from 'node:fs'
import { adminOpenapiText } from './admin-openapi/document.ts'
import { openapiText } from './openapi/document.ts'

writeFileSync(new URL('../../sdk/openapi.json', import.meta.url), openapiText)
writeFileSync(new URL('../admin.openapi.json', import.meta.url), adminOpenapiText)
