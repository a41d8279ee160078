import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { assumptionDefinitions, type AssumptionKey } from '../../assumptions/index.ts'
import type { MockLedger } from '../../ledger/index.ts'
import { health } from '../health.ts'
import { schemaRef, type AdminRoute, type AdminRoutes } from '../route.ts'

const currentAssumptions = ({ assumptions }: MockLedger) =>
  Object.fromEntries(
    Object.entries(assumptionDefinitions).map(([key, definition]) => [
      key,
      { ...definition, current: assumptions[key as AssumptionKey] },
    ]),
  )

const definitions = {
  description: 'All assumptions by name, with their current values.',
  schema: schemaRef('AssumptionDefinitions'),
}

/** Serves a description that a package ships. The file is read on the first request. */
const shippedFile = (operationId: string, summary: string, file: string): AdminRoute => {
  let description: unknown
  return {
    operationId,
    summary,
    covers: [],
    response: { description: 'The description.', schema: { type: 'object' } },
    run: () => (description ??= JSON.parse(readFileSync(createRequire(import.meta.url).resolve(file), 'utf8'))),
  }
}

export const descriptionRoutes: AdminRoutes = {
  '/_mock/health': {
    GET: {
      operationId: 'getHealth',
      summary: 'Responds once the mock is ready, its data included; needs no token',
      covers: [],
      response: {
        description: 'The mock is ready.',
        schema: { type: 'object', required: ['status'], properties: { status: { const: 'ready' } } },
      },
      run: () => health,
    },
  },
  '/_mock/assumptions': {
    GET: {
      operationId: 'listAssumptions',
      summary: 'Lists the assumptions about unspecified behaviour: their possible and their current values',
      covers: ['mock.assumptions'],
      response: definitions,
      run: ({ mock }) => currentAssumptions(mock),
    },
    PATCH: {
      operationId: 'changeAssumptions',
      summary: 'Changes assumptions for every guild without a value of its own and for keys that are bound to no guild',
      covers: ['mock.assume'],
      requestBody: {
        json: { description: 'The values to change. Others keep theirs.', schema: schemaRef('AssumptionChanges') },
        example: { pageUnit: 'group' },
      },
      response: definitions,
      run({ mock, body }) {
        mock.assume(body as object)
        return currentAssumptions(mock)
      },
    },
  },
  '/_mock/openapi.json': {
    GET: shippedFile(
      'getServiceDescription',
      'Returns the description of the service in OpenAPI 3.1',
      '@guild-ledger/sdk/openapi.json',
    ),
  },
  '/_mock/admin.openapi.json': {
    GET: shippedFile(
      'getAdminDescription',
      'Returns the description of the admin API in OpenAPI 3.1',
      '@guild-ledger/mock-server/admin.openapi.json',
    ),
  },
}
