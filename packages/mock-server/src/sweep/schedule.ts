/** How far a sweep has come. */
export interface SweepProgress {
  /** What is tried at the moment. */
  readonly label: string
  /** Steps that are done. */
  readonly done: number
  /** Steps in all. */
  readonly total: number
  /** Estimate of the time left, in seconds, once there is one. */
  readonly secondsLeft: number | undefined
}

/** Runs steps one after the other until the time is up, and reports progress. */
export interface Schedule {
  /** Returns the steps that were not run. `untilSeconds` replaces the limit of the schedule. */
  each<Step>(
    steps: readonly Step[],
    labelOf: (step: Step) => string,
    run: (step: Step) => Promise<void>,
    untilSeconds?: number,
  ): Promise<readonly Step[]>
  /** Seconds since the schedule was created. */
  seconds(): number
}

/** A schedule that starts no step after `maxSeconds`. */
export const createSchedule = (
  maxSeconds: number = Number.POSITIVE_INFINITY,
  onProgress: (progress: SweepProgress) => void = () => {},
  now: () => number = () => performance.now(),
): Schedule => {
  const start = now()
  const seconds = () => (now() - start) / 1000
  return {
    seconds,
    async each(steps, labelOf, run, untilSeconds = maxSeconds) {
      const stepsStart = seconds()
      for (const [done, step] of steps.entries()) {
        if (seconds() >= untilSeconds) return steps.slice(done)
        const secondsLeft = done === 0 ? undefined : ((seconds() - stepsStart) / done) * (steps.length - done)
        onProgress({ label: labelOf(step), done, total: steps.length, secondsLeft })
        await run(step)
      }
      return []
    },
  }
}
