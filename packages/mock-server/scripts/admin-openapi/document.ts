import type { AdminRoute, Method } from '../../src/admin/route.ts'
import { adminRoutes } from '../../src/admin/routes/index.ts'
import { operationOf, sharedErrors } from './operations.ts'
import { schemas } from './schemas.ts'

const tags: Readonly<Record<string, string>> = {
  guilds: 'Guilds, each with its own data, keys, assumptions, faults, rate limit and log.',
  keys: 'Keys that are bound to no guild.',
  requests: 'The log of the service. Requests to the admin API are not logged.',
  assumptions: 'Assumptions about what the spec leaves open.',
  clock: 'The clock of the mock server.',
  snapshots: 'Snapshots of the state.',
  reset: 'The initial state.',
  health: 'Whether the mock server is ready.',
  stubs: 'Responses for paths that the spec only names.',
  descriptions: 'OpenAPI descriptions.',
}

const tagOf = (path: string): string => {
  const [, , first = ''] = path.split('/')
  return first.endsWith('.json') ? 'descriptions' : first
}

const pathItemOf = (path: string) =>
  Object.fromEntries(
    Object.entries(adminRoutes[path] ?? {}).map(([method, route]: [string, AdminRoute]) => [
      method.toLowerCase(),
      operationOf(path, method as Method, route, tagOf(path)),
    ]),
  )

const document = {
  openapi: '3.1.1',
  info: {
    title: 'Admin API of the Guild Ledger mock server',
    version: '1.0.0',
    summary: 'Controls a mock server, for test suites in any language.',
    description:
      'The admin API is served under `/_mock/`, next to the service. Its requests are neither logged nor counted against a rate limit. An invalid request changes nothing; its response has the error body of the service.',
  },
  servers: [
    {
      url: '{base_url}',
      description: 'The mock server.',
      variables: {
        base_url: { default: 'http://127.0.0.1:4010', description: 'Base URL without a slash at the end.' },
      },
    },
  ],
  security: [{}, { token: [] }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: Object.fromEntries(Object.keys(adminRoutes).map((path) => [path, pathItemOf(path)])),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token that the mock server was started with. Without one, only requests from the same machine are accepted.',
      },
    },
    responses: sharedErrors,
    schemas,
  },
}

/** The OpenAPI description of the admin API as it is shipped, made from its routes. */
export const adminOpenapiText = `${JSON.stringify(document, null, 2)}\n`
