import { expect, it } from 'vitest'
import { createEffectiveAssumptions, type Assumptions } from './index.ts'

it('prefers its own values, and follows its base where it has none', () => {
  const mock = createEffectiveAssumptions({ pageUnit: 'group', maxPage: 5 })
  const guild = createEffectiveAssumptions({ maxPage: 7 }, mock)

  mock.change({ pageUnit: 'transaction', maxPage: 9, userLimit: 3 })

  expect(guild.current).toMatchObject({ pageUnit: 'transaction', maxPage: 7, userLimit: 3 })
  expect(mock.current).toMatchObject({ pageUnit: 'transaction', maxPage: 9, userLimit: 3 })
})

it('keeps values that a change does not name', () => {
  const effective = createEffectiveAssumptions({ maxPage: 5, pageUnit: 'group' })

  effective.change({ maxPage: null, nameOrder: undefined } as unknown as Partial<Assumptions>)

  expect(effective.current).toMatchObject({ maxPage: null, pageUnit: 'group', nameOrder: 'code-unit' })
})

it.each([
  [{ pageUnit: 'group', maxPages: 3 }, 'Unknown assumption `maxPages`. Did you mean `maxPage`?'],
  [{ pageUnit: 'group', maxPage: 0 }, '`maxPage` must be an integer ≥ 1, or null, got 0'],
  [JSON.parse('{"pageUnit":"group","__proto__":{"maxPage":1}}'), 'Unknown assumption `__proto__`'],
  [null, '`assumptions` must be an object'],
])('changes nothing when %j is not allowed', (changes, message) => {
  const effective = createEffectiveAssumptions()
  const before = effective.current

  expect(() => effective.change(changes as Partial<Assumptions>)).toThrow(message)
  expect(effective.current).toBe(before)
})

it('restores its values, and those of the guilds that follow them', () => {
  const mock = createEffectiveAssumptions()
  const guild = createEffectiveAssumptions({}, mock)
  const before = mock.state()
  mock.change({ pageUnit: 'group' })
  expect(guild.current.pageUnit).toBe('group')

  mock.restore(before)

  expect(guild.current.pageUnit).toBe('transaction')
})
