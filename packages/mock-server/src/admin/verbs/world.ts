import type { Clock } from '../clock.ts'
import { Refused } from '../refused.ts'
import { isoDate, named, text, type Call, type Fields, type Verb, type Verbs } from '../verb.ts'

const clockOf = ({ clock }: Call): Clock => {
  if (clock) return clock
  throw new Refused(409, 'This mock has a clock of its own: give createAdmin the one of createClock.')
}

const moving = (move: (clock: Clock, fields: Fields) => void) => ({
  conflict: 'The mock has a clock of its own, which the admin API was not given.',
  replies: { is: 'Where the clock stands now.', schema: named('Clock') },
  run(call: Call) {
    const clock = clockOf(call)
    move(clock, call.fields)
    return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen }
  },
})

const readClock: Verb = {
  id: 'readClock',
  summary: 'The clock that keys, rate limit, scheduled transactions and log go by',
  does: ['clock.now', 'clock.frozen'],
  ...moving(() => {}),
}

const freezeClock: Verb = {
  id: 'freezeClock',
  summary: 'Stops the clock',
  does: ['clock.freeze'],
  takes: {
    fields: {
      at: {
        is: 'At which time, as text or in milliseconds since 1970; now unless given.',
        schema: { anyOf: [isoDate, { type: 'number' }] },
      },
    },
    example: { at: '2026-05-01T00:00:00Z' },
  },
  ...moving((clock, { at }) => clock.freeze(at as string | undefined)),
}

const advanceClock: Verb = {
  id: 'advanceClock',
  summary: 'Moves the clock on, whether it stands still or not',
  does: ['clock.advance'],
  takes: {
    fields: { ms: { is: 'By so many milliseconds.', schema: { type: 'integer', minimum: 0 }, isRequired: true } },
    example: { ms: 60_000 },
  },
  ...moving((clock, { ms }) => clock.advance(ms as number)),
}

const resumeClock: Verb = {
  id: 'resumeClock',
  summary: 'Lets the clock go on from where it stands',
  does: ['clock.resume'],
  ...moving((clock) => clock.resume()),
}

/** Time, and coming back to what was. */
export const worldVerbs: Verbs = {
  '/_mock/clock': { GET: readClock },
  '/_mock/clock/freeze': { POST: freezeClock },
  '/_mock/clock/advance': { POST: advanceClock },
  '/_mock/clock/resume': { POST: resumeClock },
  '/_mock/snapshots': {
    POST: {
      id: 'takeSnapshot',
      summary: 'Remembers everything but the clock as it is now; the last 100 snapshots are kept',
      does: ['mock.snapshot'],
      replies: {
        is: 'The name of the snapshot.',
        schema: { type: 'object', required: ['id'], properties: { id: text } },
      },
      run: ({ mock, snapshots }) => ({ id: snapshots.keep(mock.snapshot()) }),
    },
  },
  '/_mock/snapshots/{snapshotId}/restore': {
    POST: {
      id: 'restoreSnapshot',
      summary: 'Brings everything but the clock back to what it was',
      does: ['mock.restore'],
      run: ({ mock, snapshots, ids: [id = ''] }) => mock.restore(snapshots.find(id)),
    },
  },
  '/_mock/reset': {
    POST: {
      id: 'reset',
      summary: 'Brings everything back to the start, and the clock to the time of the machine',
      does: ['mock.reset', 'clock.reset'],
      run({ mock, clock }) {
        mock.reset()
        clock?.reset()
      },
    },
  },
}
