import { afterEach, expect, it, vi } from 'vitest'
import { hashOf, portableHash } from './hash.ts'

const hashes = { 'the runtime': hashOf, 'plain JavaScript': portableHash }

it.each(
  Object.entries(hashes).flatMap(([name, hash]) =>
    [
      ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
      ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
    ].map(([text = '', expected]) => ({ name, hash, text, expected })),
  ),
)('the hash of $name hashes $text with SHA-256', ({ hash, text, expected }) => {
  expect(hash(text)).toBe(expected)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules() // later files of this process import the module of this runtime
})

/** The function of a runtime that has this as `process`. */
const hashIn = async (process: unknown) => {
  vi.resetModules()
  vi.stubGlobal('process', process)
  return (await import('./hash.ts')).hashOf
}
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

it('hashOf uses the function of the runtime where there is one', async () => {
  const hash = vi.fn(() => 'hash')
  const getBuiltinModule = vi.fn(() => ({ hash }))

  expect((await hashIn({ getBuiltinModule }))('abc')).toBe('hash')
  expect(getBuiltinModule).toHaveBeenCalledWith('node:crypto')
  expect(hash).toHaveBeenCalledWith('sha256', 'abc', 'hex')
})

it.each([
  ['process', undefined],
  ['getBuiltinModule', {}],
  ['node:crypto', { getBuiltinModule: () => undefined }],
  ['hash in node:crypto', { getBuiltinModule: () => ({}) }],
])('hashOf hashes in plain JavaScript in a runtime without %s', async (_what, process) => {
  expect((await hashIn(process))('abc')).toBe(abc)
})
