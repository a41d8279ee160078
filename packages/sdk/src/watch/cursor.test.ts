import { describe, expect, it } from 'vitest'
import { timestampRange } from './cursor.ts'

const at = (time: string) => Date.parse(`2026-01-31T${time}Z`)
describe('timestamp range', () => {
  it.each([
    ['2026-01-31T10:00:00.250Z', 250, 250],
    ['2026-01-31T10:00:00.25Z', 250, 250],
    ['2026-01-31T10:00:00.2509Z', 250, 250],
    ['2026-01-31T10:00:00Z', 0, 999],
    ['2026-01-31T10:00:00+00:00', 0, 999],
    ['2026-01-31T10:00Z', 0, 999],
  ])('of %s is %i to %i ms after the second', (createdAt, earliest, latest) => {
    const second = at('10:00:00')
    expect(timestampRange(createdAt)).toEqual({ earliest: second + earliest, latest: second + latest })
  })

  it('of a string that is no date has no numbers', () => {
    expect(timestampRange('yesterday')).toEqual({ earliest: NaN, latest: NaN })
  })
})
