import { expect, it } from 'vitest'
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
)('hashes $text with the SHA-256 of $name', ({ hash, text, expected }) => {
  expect(hash(text)).toBe(expected)
})
