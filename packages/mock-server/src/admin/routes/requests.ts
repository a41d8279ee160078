import { HttpError } from '../http-error.ts'
import { arrayOf, schemaRef, string, type AdminRequest, type AdminRoutes } from '../route.ts'
import { findGuild } from './find-guild.ts'

const loggedRequests = {
  description: 'The requests, oldest first. The last 10,000 are kept.',
  schema: arrayOf('LoggedRequest'),
}

const expectRequests = (request: AdminRequest): void => {
  const { count, ...matcher } = request.fields
  try {
    findGuild(request).expectRequests(count as number, matcher)
  } catch (error) {
    if (error instanceof TypeError || error instanceof HttpError) throw error
    throw new HttpError(409, (error as Error).message)
  }
}

export const requestRoutes: AdminRoutes = {
  '/_mock/guilds/{id}/requests': {
    GET: {
      operationId: 'listRequests',
      summary: 'Lists the requests made with the keys of a guild',
      covers: ['guild.requests'],
      response: loggedRequests,
      run: (request) => findGuild(request).requests,
    },
  },
  '/_mock/guilds/{id}/requests/expect': {
    POST: {
      operationId: 'expectRequests',
      summary: 'Asserts how many requests matched a description',
      covers: ['guild.expectRequests'],
      requestBody: {
        fields: {
          count: {
            description: 'Expected number of requests.',
            schema: { type: 'integer', minimum: 0 },
            required: true,
          },
          endpoint: { description: 'Only requests to this endpoint.', schema: schemaRef('Endpoint') },
          platformId: {
            description:
              'Only requests for this user: in the path, or as the query parameter of the list-all endpoint.',
            schema: string,
          },
          query: {
            description: 'Only requests that sent these parameters with these values. Other parameters are ignored.',
            schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
          },
          keyId: { description: 'Only requests with this key.', schema: string },
          status: { description: 'Only requests that got this response status.', schema: { type: 'integer' } },
        },
        example: { count: 1, endpoint: 'guild', query: { from: 'shop' }, status: 200 },
      },
      conflict: 'The number of requests differs. The message lists the requests, ready for a test report.',
      run: expectRequests,
    },
  },
  '/_mock/guilds/{id}/audit': {
    GET: {
      operationId: 'auditClients',
      summary: 'Reports what clients of a guild did wrong: too fast, retried too early, duplicate requests',
      covers: ['guild.audit'],
      response: { description: 'One report for each key that was used.', schema: arrayOf('ClientAudit') },
      run: (request) => findGuild(request).audit(),
    },
  },
  '/_mock/requests': {
    GET: {
      operationId: 'listAllRequests',
      summary: 'Lists the requests made to the service, with any key',
      covers: ['mock.requests'],
      response: loggedRequests,
      run: ({ mock }) => mock.requests,
    },
  },
}
