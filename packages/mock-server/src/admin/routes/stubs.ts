import { arrayOf, schemaRef, string, type AdminRequest, type AdminRoutes } from '../route.ts'

const addStub = ({ mock, fields }: AdminRequest) => {
  const { path, ...response } = fields
  mock.stub(path as string, response)
  return mock.stubs.find((stub) => stub.path === path)
}

export const stubRoutes: AdminRoutes = {
  '/_mock/stubs': {
    GET: {
      operationId: 'listStubs',
      summary: 'Lists the stubs: responses for paths that the spec only names',
      covers: ['mock.stubs'],
      response: {
        description: 'The stubs, in the order in which their paths were first set.',
        schema: arrayOf('Stub'),
      },
      run: ({ mock }) => mock.stubs,
    },
    POST: {
      operationId: 'addStub',
      summary: 'Sets what a path responds with that the spec only names; it replaces a stub of the same path',
      covers: ['mock.stub'],
      requestBody: {
        fields: {
          path: {
            description: 'The path, percent-encoded and without a query string.',
            schema: { type: 'string', pattern: String.raw`^/[^?#\s]*$` },
            required: true,
          },
          status: {
            description: 'The status. Default: 200.',
            schema: { type: 'integer', minimum: 200, maximum: 599 },
          },
          body: {
            description: 'A string is sent as it is, anything else as JSON. Default: `success`, or an error body.',
            schema: {},
          },
          headers: {
            description: 'Additional headers. Headers that frame the body, such as `content-length`, are rejected.',
            schema: { type: 'object', minProperties: 1, additionalProperties: string },
          },
        },
        example: { path: '/guild/discharges', body: { success: true, data: [] } },
      },
      response: { description: 'The stub.', schema: schemaRef('Stub') },
      creates: true,
      run: addStub,
    },
    DELETE: {
      operationId: 'clearStubs',
      summary: 'Removes all stubs',
      covers: ['mock.clearStubs'],
      run: ({ mock }) => mock.clearStubs(),
    },
  },
}
