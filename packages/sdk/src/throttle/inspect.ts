import type { Throttle } from './throttle.ts'

/** Shows a throttle by its figures, in logs and JSON alike. */
export const withInspect = <T extends Throttle>(throttle: T): T =>
  Object.defineProperties(throttle, {
    toJSON: { value: () => throttle.stats },
    [Symbol.for('nodejs.util.inspect.custom')]: {
      value: (_depth: number, options: object, inspect: (value: unknown, options: object) => string) =>
        `Throttle ${inspect(throttle.stats, options)}`,
    },
  })
