import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allBut, isAll, knownFlags, planted, sweepOf } from '../sweep-process.ts'

it('finds tests that end in unusual ways under a value, and runs those that they keep from running', async () => {
  // To stop a loop four times takes half a minute of processor time.
  const flags = ['--vitest', ...knownFlags(allBut(['totalValueOf', ...(isAll ? ['createdAtFormat'] : [])]))]
  const { breaks, ofResult } = await sweepOf([...flags, '--', '--root', planted, 'ends', 'hangs', 'leftover'])

  expect(breaks).toEqual([
    'checks the total at its end: fails under totalValueOf=amount',
    'ends its process: fails under totalValueOf=amount',
    'has a name twice (2): fails under totalValueOf=amount',
    'has a snapshot only under another value: fails under totalValueOf=amount',
    'leaves a loop behind that depends on the total: fails under totalValueOf=amount',
    ...(isAll ? ['loops until a date has milliseconds: hangs under createdAtFormat=seconds'] : []),
    'rejects a promise that nobody waits for: fails under totalValueOf=amount',
    'waits for a total that never comes: hangs under totalValueOf=amount',
    'waits longer than the sweep: hangs under totalValueOf=amount',
  ])
  expect(ofResult('not judged')).toEqual(['skips itself by default'])
  expect(ofResult('unreached')).toEqual(['waits while the loop of another test goes on'])
  expect(existsSync(join(planted, '__snapshots__'))).toBe(false)
})
