import { expect, it } from 'vitest'
import { createPermit } from './permits.ts'

it('passes each outcome on once, and one that is better known after "aborted"', () => {
  const ended: unknown[] = []
  const permit = createPermit((outcome) => ended.push(outcome.kind))

  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'aborted' })
  permit.release({ kind: 'completed', status: 200, retryAfterMs: undefined })
  permit.release({ kind: 'failed' })

  expect(ended).toEqual(['aborted', 'completed'])
})
