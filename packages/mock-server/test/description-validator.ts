import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { OpenAPIBackend, type Document, type OpenAPIValidator } from 'openapi-backend'

/** A validator of requests and replies by a shipped description, written by others. */
export const createDescriptionValidator = async (of: object = description): Promise<OpenAPIValidator> => {
  const backend = new OpenAPIBackend({
    definition: structuredClone(of) as unknown as Document,
    quick: true, // leaves out its own look at the document, which knows OpenAPI 3.0 only
    customizeAjv: (ajv) => addFormats.default(ajv),
  })
  await backend.init()
  return backend.validator
}
