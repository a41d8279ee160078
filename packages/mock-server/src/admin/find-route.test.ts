import { expect, it } from 'vitest'
import { findRoute } from './find-route.ts'

it('a route is found by path and method, with decoded path parameters', () => {
  const { route, pathParameters } = findRoute('/_mock/guilds/a%20b/keys/k%2F1', 'DELETE')

  expect([route.operationId, pathParameters]).toEqual(['deleteKey', ['a b', 'k/1']])
})

it('a dot in a path matches only a dot', () => {
  expect(findRoute('/_mock/openapi.json', 'GET').route.operationId).toBe('getServiceDescription')
  expect(() => findRoute('/_mock/openapi-json', 'GET')).toThrow(expect.objectContaining({ status: 404 }))
})

it('an unknown path is a 404', () => {
  expect(() => findRoute('/_mock/guilds/', 'GET')).toThrow(
    expect.objectContaining({
      status: 404,
      message: 'The admin API has no path "/_mock/guilds/": see GET /_mock/admin.openapi.json.',
    }),
  )
})

it.each(['PUT', 'constructor'])('the method %s is a 405 that lists the supported methods', (method) => {
  expect(() => findRoute('/_mock/guilds', method)).toThrow(
    expect.objectContaining({
      status: 405,
      message: `"/_mock/guilds" supports GET, HEAD, POST, not ${method}.`,
      headers: { allow: 'GET, HEAD, POST' },
    }),
  )
})

it('invalid percent-encoding in a path parameter is a 400', () => {
  expect(() => findRoute('/_mock/guilds/%ff', 'GET')).toThrow(expect.objectContaining({ status: 400 }))
})
