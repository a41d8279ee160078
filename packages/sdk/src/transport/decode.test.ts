import { expect, it } from 'vitest'
import { madeBy, parseJson } from './decode.ts'

it('passes on the value of a schema, and joins the paths of its issues', async () => {
  const schemaOf = (result: object) =>
    ({ '~standard': { version: 1, vendor: 'test', validate: () => result } }) as never

  expect(await madeBy(schemaOf({ value: 7 }))({})).toEqual({ value: 7 })
  expect(
    await madeBy(schemaOf({ issues: [{ message: 'a string', path: ['a', { key: 0 }] }, { message: 'x' }] }))([]),
  ).toEqual({
    issues: [
      {
        path: 'a[0]',
        expected: 'a string',
        received: 'undefined',
        message: '`a[0]` does not match the schema: a string',
      },
      { path: '', expected: 'x', received: 'an array of 0', message: 'the body does not match the schema: x' },
    ],
    advice: 'Check the schema.',
  })
})

it.each([
  ['', 'an empty body'],
  [`<p>${'x'.repeat(57)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
  [`<p>${'x'.repeat(58)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
])('names what came in place of JSON, its first 60 characters at most: %s', (text, received) => {
  expect(() => parseJson(text, 'GET /x', { hasServed: false })).toThrow(
    expect.objectContaining({ issues: [{ path: '', expected: 'JSON', received }] }),
  )
})
