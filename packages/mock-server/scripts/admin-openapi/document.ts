import type { Method, Verb } from '../../src/admin/verb.ts'
import { verbs } from '../../src/admin/verbs/index.ts'
import { operationOf, sharedErrors } from './operations.ts'
import { schemas } from './schemas.ts'

const tags: Readonly<Record<string, string>> = {
  guilds: 'Guilds with data, keys, failures, rate limit and log of their own.',
  keys: 'Keys that are bound to no guild.',
  requests: 'What was asked of the service. What is asked of the admin API is not among it.',
  assumptions: 'What the document leaves open, and how the mock reads it.',
  clock: 'The time that the mock goes by.',
  snapshots: 'Coming back to what was.',
  reset: 'Coming back to the start.',
  descriptions: 'What there is to ask.',
}

const tagOf = (path: string): string => {
  const [, , first = ''] = path.split('/')
  return first.endsWith('.json') ? 'descriptions' : first
}

const itemOf = (path: string) =>
  Object.fromEntries(
    Object.entries(verbs[path] ?? {}).map(([method, verb]: [string, Verb]) => [
      method.toLowerCase(),
      operationOf(path, method as Method, verb, tagOf(path)),
    ]),
  )

const document = {
  openapi: '3.1.1',
  info: {
    title: 'Admin API of the Guild Ledger mock',
    version: '1.0.0',
    summary: 'What the objects of a mock ledger do, for suites in any language.',
    description:
      'Under `/_mock/`, beside the service: nothing asked here is in its log or counts against a rate limit. What is wrong comes back in the error body of the service and changes nothing.',
  },
  servers: [
    {
      url: '{base_url}',
      description: 'Where the mock listens.',
      variables: {
        base_url: { default: 'http://127.0.0.1:4010', description: 'Base address without a slash at its end.' },
      },
    },
  ],
  security: [{}, { token: [] }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: Object.fromEntries(Object.keys(verbs).map((path) => [path, itemOf(path)])),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token that the mock was started with. Without one, only this machine is answered.',
      },
    },
    responses: sharedErrors,
    schemas,
  },
}

/** The description of the admin API as it is shipped, made from the table that routes to its verbs. */
export const adminOpenapiText = `${JSON.stringify(document, null, 2)}\n`
