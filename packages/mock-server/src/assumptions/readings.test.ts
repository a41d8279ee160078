import { expect, it } from 'vitest'
import { createReadings, type Assumptions } from './index.ts'

it('its own readings stand over those of its base, and follow the base where there are none', () => {
  const mock = createReadings({ pageUnit: 'group', maxPage: 5 })
  const guild = createReadings({ maxPage: 7 }, mock)

  mock.change({ pageUnit: 'transaction', maxPage: 9, userLimit: 3 })

  expect(guild.inForce).toMatchObject({ pageUnit: 'transaction', maxPage: 7, userLimit: 3 })
  expect(mock.inForce).toMatchObject({ pageUnit: 'transaction', maxPage: 9, userLimit: 3 })
})

it('a change keeps what it does not name', () => {
  const readings = createReadings({ maxPage: 5, pageUnit: 'group' })

  readings.change({ maxPage: null, nameOrder: undefined } as unknown as Partial<Assumptions>)

  expect(readings.inForce).toMatchObject({ maxPage: null, pageUnit: 'group', nameOrder: 'code-unit' })
})

it.each([
  [{ pageUnit: 'group', maxPages: 3 }, 'Unknown assumption "maxPages": did you mean maxPage?'],
  [{ pageUnit: 'group', maxPage: 0 }, 'Assumption maxPage must be a whole number of at least 1, or null, not 0.'],
  [JSON.parse('{"pageUnit":"group","__proto__":{"maxPage":1}}'), 'Unknown assumption "__proto__"'],
  [null, 'assumptions must be an object'],
])('a change to %j changes nothing', (changes, message) => {
  const readings = createReadings()
  const before = readings.inForce

  expect(() => readings.change(changes as Partial<Assumptions>)).toThrow(message)
  expect(readings.inForce).toBe(before)
})

it('come back to what they were, and so do those that follow them', () => {
  const mock = createReadings()
  const guild = createReadings({}, mock)
  const before = mock.state()
  mock.change({ pageUnit: 'group' })
  expect(guild.inForce.pageUnit).toBe('group')

  mock.restore(before)

  expect(guild.inForce.pageUnit).toBe('transaction')
})
