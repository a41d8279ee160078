/** Writes the description that the SDK ships. */
import { writeFileSync } from 'node:fs'
import { openapiText } from './openapi/document.ts'

writeFileSync(new URL('../../sdk/openapi.json', import.meta.url), openapiText)
