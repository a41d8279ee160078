import type { RequestCount, RequestMatcher } from '../../request-log/index.ts'
import { coreOf } from '../../adapters/core.ts'
import { requireArray } from '../body.ts'
import { HttpError } from '../http-error.ts'
import {
  arrayOf,
  schemaRef,
  string,
  type AdminRequest,
  type AdminRoute,
  type AdminRoutes,
  type Field,
} from '../route.ts'
import { findGuild } from './find-guild.ts'

/** What a guild and the whole mock both offer. */
type Observed = Pick<AdminRequest['mock'], 'expectRequests' | 'expectRequestsInOrder' | 'waitForRequests'>
type Find = (request: AdminRequest) => Observed

const loggedRequests = {
  description: 'The requests, oldest first. The last 10,000 are kept.',
  schema: arrayOf('LoggedRequest'),
}

const integer = { type: 'integer', minimum: 0 }

/** The fields of a request matcher. */
export const matcherFields: Readonly<Record<string, Field>> = {
  endpoint: { description: 'Only requests to this endpoint.', schema: schemaRef('Endpoint') },
  platformId: {
    description: 'Only requests for this user: in the path, or as the query parameter of the list-all endpoint.',
    schema: string,
  },
  query: {
    description: 'Only requests that sent these parameters with these values. Other parameters are ignored.',
    schema: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  },
  path: {
    description: 'Only requests to exactly this path, such as that of a stub. Default: those to the two endpoints.',
    schema: { type: 'string', pattern: '^/' },
  },
  keyId: { description: 'Only requests with this key.', schema: string },
  status: {
    description: 'Only requests that got this response status; `null` for those without a complete response.',
    schema: { type: ['integer', 'null'] },
  },
}

const differ = 'The requests differ. The message lists them, nearest first, ready for a test report.'

/** An expectation that is not met is a conflict; anything else stays what it is. */
const orConflict = (error: unknown): never => {
  if (error instanceof Error && error.constructor === Error) throw new HttpError(409, error.message)
  throw error
}

const expectRequests = (find: Find, operationId: string, covers: AdminRoute['covers']): AdminRoute => ({
  operationId,
  summary: 'Asserts how many requests matched a description: `count`, or from `atLeast` to `atMost`',
  covers,
  requestBody: {
    fields: {
      count: { description: 'Expected number of requests.', schema: integer },
      atLeast: { description: 'Least number, instead of `count`.', schema: integer },
      atMost: { description: 'Greatest number, instead of `count`.', schema: integer },
      ...matcherFields,
    },
    example: { count: 1, endpoint: 'guild', query: { from: 'shop' } },
  },
  conflict: differ,
  run(request) {
    const { count, atLeast, atMost, ...matcher } = request.fields
    const hasRange = atLeast !== undefined || atMost !== undefined
    const range = { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) }
    if (count !== undefined && hasRange) {
      throw new HttpError(400, '`count` must not be given together with `atLeast` or `atMost`')
    }
    try {
      find(request).expectRequests((hasRange ? range : count) as RequestCount, matcher)
    } catch (error) {
      orConflict(error)
    }
  },
})

const expectInOrder = (find: Find, operationId: string, covers: AdminRoute['covers']): AdminRoute => ({
  operationId,
  summary: 'Asserts that there is a request for each description, one after the other; others may come in between',
  covers,
  requestBody: {
    fields: {
      matchers: {
        description: 'Descriptions of requests, in the order expected.',
        schema: arrayOf('RequestMatcher'),
        required: true,
      },
    },
    example: { matchers: [{ endpoint: 'guild' }] },
  },
  conflict: differ,
  run(request) {
    const matchers = requireArray('matchers', request.fields['matchers']) as RequestMatcher[]
    try {
      find(request).expectRequestsInOrder(matchers)
    } catch (error) {
      orConflict(error)
    }
  },
})

const waitForRequests = (find: Find, operationId: string, covers: AdminRoute['covers']): AdminRoute => ({
  operationId,
  summary: 'Waits until as many requests match a description, and responds only then',
  covers,
  requestBody: {
    fields: {
      count: { description: 'Least number of requests.', schema: integer, required: true },
      timeoutMs: {
        description: 'Milliseconds after which the response is 409. Default: 4000.',
        schema: { type: 'number', minimum: 0 },
      },
      ...matcherFields,
    },
    example: { count: 1, timeoutMs: 1000, endpoint: 'guild' },
  },
  response: { ...loggedRequests, description: 'The requests that match, oldest first.' },
  conflict: `The time is over. ${differ}`,
  async run(request) {
    const { count, timeoutMs, ...matcher } = request.fields
    const options = { ...(timeoutMs !== undefined && { timeoutMs: timeoutMs as number }), signal: request.signal }
    return find(request)
      .waitForRequests(count as number, matcher, options)
      .catch((error: unknown) => {
        if (request.signal.aborted) throw new HttpError(409, 'The connection was closed before as many requests came.')
        return orConflict(error)
      })
  },
})

const ofMock: Find = ({ mock }) => mock

export const requestRoutes: AdminRoutes = {
  '/_mock/responses': {
    GET: {
      operationId: 'listResponses',
      summary: 'Lists the latest 20 requests with their responses',
      covers: [],
      response: { description: 'The requests, oldest first.', schema: arrayOf('SeenResponse') },
      run: ({ mock }) => coreOf(mock).seen(),
    },
  },
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
    POST: expectRequests(findGuild, 'expectRequests', ['guild.expectRequests']),
  },
  '/_mock/guilds/{id}/requests/expect-in-order': {
    POST: expectInOrder(findGuild, 'expectRequestsInOrder', ['guild.expectRequestsInOrder']),
  },
  '/_mock/guilds/{id}/requests/wait': {
    POST: waitForRequests(findGuild, 'waitForRequests', ['guild.waitForRequests']),
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
      summary: 'Lists the requests made to the service, with any key and to any path',
      covers: ['mock.requests'],
      response: loggedRequests,
      run: ({ mock }) => mock.requests,
    },
  },
  '/_mock/requests/expect': { POST: expectRequests(ofMock, 'expectAllRequests', ['mock.expectRequests']) },
  '/_mock/requests/expect-in-order': {
    POST: expectInOrder(ofMock, 'expectAllRequestsInOrder', ['mock.expectRequestsInOrder']),
  },
  '/_mock/requests/wait': { POST: waitForRequests(ofMock, 'waitForAllRequests', ['mock.waitForRequests']) },
}
