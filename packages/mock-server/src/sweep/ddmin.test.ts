import { expect, it } from 'vitest'
import { shrink } from './ddmin.ts'

const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

it.each([{ needed: ['c', 'h'] }, { needed: ['a'] }, { needed: ['a', 'e', 'i'] }, { needed: items }])(
  'shrinks nine changes to $needed when only these together fail',
  async ({ needed }) => {
    const fails = async (part: readonly string[]) => needed.every((item) => part.includes(item))

    expect(await shrink(items, fails)).toEqual(needed)
  },
)

it('returns a part of which no item can be left out, whatever the failure depends on', async () => {
  const fails = async (part: readonly string[]) => part.length >= 3 && part.includes('d')

  const smallest = await shrink(items, fails)

  expect(smallest).toHaveLength(3)
  expect(smallest).toContain('d')
})
