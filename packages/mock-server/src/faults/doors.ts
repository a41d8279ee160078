import type { Ending } from './spoil.ts'

/** A way to the mock that hands replies on as `Response`s. Real HTTP is none of them: it can show every failure. */
export type Door = 'mock.handle' | 'mock.fetch' | 'setupServer of MSW' | 'setupWorker of MSW'

/** As much of a reply as decides whether it can be shown. */
interface Shown {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ending?: Ending
}

interface Limit {
  readonly what: string
  readonly why: string
  readonly instead: string
  readonly doors: readonly Door[]
  readonly isMet: (reply: Shown) => boolean
}

/** A simulated failure that would look like something else behind this door. The message says what to do. */
export class FaultNotShownError extends TypeError {
  override readonly name: string = 'FaultNotShownError'
}

/** Where a body is cut: before its end, however far off that was said to be. */
export const cutAt = (length: number, bytes: number | undefined): number =>
  Math.max(0, Math.min(bytes ?? Math.floor(length / 2), length - 1))

const limits: readonly Limit[] = [
  {
    what: 'truncate before the first byte of the body',
    why: 'MSW sends the status with the first byte, so the client would see a reset',
    instead: 'truncate with bytes of at least 1, the kind reset, mock.fetch or startMockServer',
    doors: ['setupServer of MSW'],
    isMet: ({ ending, body }) => ending?.kind === 'truncate' && cutAt(body.length, ending.bytes) === 0,
  },
  {
    what: 'status with the header content-encoding',
    why: 'nothing decodes the body, so the client would read it as it is',
    instead: 'startMockServer, or the kind malformed-json',
    doors: ['mock.handle', 'mock.fetch', 'setupWorker of MSW'],
    isMet: ({ headers }) => headers['content-encoding'] !== undefined,
  },
]

/**
 * Passes if a reply can be shown behind a door.
 *
 * @throws {FaultNotShownError} It would look like something else.
 */
export const checkShown = (reply: Shown, door: Door): void => {
  const limit = limits.find(({ doors, isMet }) => doors.includes(door) && isMet(reply))
  if (!limit) return
  const { what, why, instead } = limit
  throw new FaultNotShownError(`The failure ${what} cannot be shown by ${door}: ${why}. Use ${instead}.`)
}
