import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { OpenAPIBackend, type Document, type OpenAPIValidator } from 'openapi-backend'

/** A validator of requests and replies by the shipped description, written by others. */
export const createDescriptionValidator = async (): Promise<OpenAPIValidator> => {
  const backend = new OpenAPIBackend({
    definition: structuredClone(description) as unknown as Document,
    quick: true, // leaves out its own look at the document, which knows OpenAPI 3.0 only
    customizeAjv: (ajv) => addFormats.default(ajv),
  })
  await backend.init()
  return backend.validator
}
