import type { MockClock } from '../clock.ts'
import { HttpError } from '../http-error.ts'
import {
  isoDate,
  schemaRef,
  string,
  type AdminRequest,
  type AdminRoute,
  type AdminRoutes,
  type Fields,
} from '../route.ts'

const requireClock = ({ clock }: AdminRequest): MockClock => {
  if (clock) return clock
  throw new HttpError(409, 'This admin API has no clock: pass the clock of the mock to createAdmin({ clock }).')
}

const clockRoute = (change: (clock: MockClock, fields: Fields) => void) => ({
  conflict: 'The admin API was created without the clock of the mock.',
  response: { description: 'The current time of the clock.', schema: schemaRef('Clock') },
  run(request: AdminRequest) {
    const clock = requireClock(request)
    change(clock, request.fields)
    return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen }
  },
})

const getClock: AdminRoute = {
  operationId: 'getClock',
  summary: 'Returns the time of the clock that keys, rate limits, scheduled transactions and logs use',
  covers: ['clock.now', 'clock.frozen'],
  ...clockRoute(() => {}),
}

const freezeClock: AdminRoute = {
  operationId: 'freezeClock',
  summary: 'Stops the clock',
  covers: ['clock.freeze'],
  requestBody: {
    fields: {
      at: {
        description: 'The time to stop at, as ISO 8601 or in milliseconds since 1970. Default: now.',
        schema: { anyOf: [isoDate, { type: 'number' }] },
      },
    },
    example: { at: '2026-05-01T00:00:00Z' },
  },
  ...clockRoute((clock, { at }) => clock.freeze(at as string | undefined)),
}

const advanceClock: AdminRoute = {
  operationId: 'advanceClock',
  summary: 'Advances the clock, stopped or running',
  covers: ['clock.advance'],
  requestBody: {
    fields: { ms: { description: 'Milliseconds.', schema: { type: 'integer', minimum: 0 }, required: true } },
    example: { ms: 60_000 },
  },
  ...clockRoute((clock, { ms }) => clock.advance(ms as number)),
}

const resumeClock: AdminRoute = {
  operationId: 'resumeClock',
  summary: 'Lets the clock run on from its current time',
  covers: ['clock.resume'],
  ...clockRoute((clock) => clock.resume()),
}

const resetClock: AdminRoute = {
  operationId: 'resetClock',
  summary: 'Sets the clock back to the time of the machine, running',
  covers: ['clock.reset'],
  ...clockRoute((clock) => clock.reset()),
}

export const clockAndSnapshotRoutes: AdminRoutes = {
  '/_mock/clock': { GET: getClock },
  '/_mock/clock/freeze': { POST: freezeClock },
  '/_mock/clock/advance': { POST: advanceClock },
  '/_mock/clock/resume': { POST: resumeClock },
  '/_mock/clock/reset': { POST: resetClock },
  '/_mock/snapshots': {
    POST: {
      operationId: 'takeSnapshot',
      summary: 'Stores the state of the mock, except the clock; the last 100 snapshots are kept',
      covers: ['mock.snapshot'],
      response: {
        description: 'The id of the snapshot.',
        schema: { type: 'object', required: ['id'], properties: { id: string } },
      },
      creates: true,
      run: ({ mock, snapshots }) => ({ id: snapshots.add(mock.snapshot()) }),
    },
  },
  '/_mock/snapshots/{snapshotId}/restore': {
    POST: {
      operationId: 'restoreSnapshot',
      summary: 'Restores a snapshot; the clock stays as it is',
      covers: ['mock.restore'],
      run: ({ mock, snapshots, pathParameters: [id = ''] }) => mock.restore(snapshots.find(id)),
    },
  },
  '/_mock/reset': {
    POST: {
      operationId: 'reset',
      summary: 'Resets the mock to its initial state, and the clock to the time of the machine',
      covers: ['mock.reset'],
      run({ mock, clock }) {
        mock.reset()
        clock?.reset()
      },
    },
  },
}
