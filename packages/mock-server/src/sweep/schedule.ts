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
  /** Runs the first of the steps that are left, until there are none. `stepsLeft` is called before each. */
  drain<Step>(
    stepsLeft: (isTimeUp: boolean) => readonly Step[],
    labelOf: (step: Step) => string,
    run: (step: Step) => Promise<void>,
  ): Promise<void>
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
  const report = (label: string, stepsStart: number, done: number, total: number) => {
    const secondsLeft = done === 0 ? undefined : ((seconds() - stepsStart) / done) * (total - done)
    onProgress({ label, done, total, secondsLeft })
  }
  return {
    seconds,
    async each(steps, labelOf, run, untilSeconds = maxSeconds) {
      const stepsStart = seconds()
      for (const [done, step] of steps.entries()) {
        if (seconds() >= untilSeconds) return steps.slice(done)
        report(labelOf(step), stepsStart, done, steps.length)
        await run(step)
      }
      return []
    },
    async drain(stepsLeft, labelOf, run) {
      const stepsStart = seconds()
      for (let done = 0; ; done++) {
        const left = stepsLeft(seconds() >= maxSeconds)
        const [step] = left
        if (step === undefined) return
        report(labelOf(step), stepsStart, done, done + left.length)
        await run(step)
      }
    },
  }
}
