import { expect, it } from 'vitest'
import { checkedKey } from './checked-key.ts'

it('says which option holds characters that no header can carry', () => {
  expect(() => checkedKey('a key')).toThrow(
    expect.objectContaining({
      option: 'apiKey',
      message:
        '`apiKey` holds characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again',
    }),
  )
})
