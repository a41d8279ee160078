import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { OpenAPIBackend, type Document, type OpenAPIValidator } from 'openapi-backend'

/** An independent validator of requests and responses against a description. */
export const createDescriptionValidator = async (of: object = description): Promise<OpenAPIValidator> => {
  const backend = new OpenAPIBackend({
    definition: structuredClone(of) as unknown as Document,
    quick: true, // skips its own check of the description, which supports OpenAPI 3.0 only
    customizeAjv: (ajv) => addFormats.default(ajv),
  })
  await backend.init()
  return backend.validator
}
