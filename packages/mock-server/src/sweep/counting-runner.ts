import type { Runner } from './types.ts'

/** A runner that counts its runs. */
export interface CountingRunner extends Runner {
  readonly counts: { runs: number }
}

/** Counts the runs of a runner. */
export const createCountingRunner = (runner: Runner): CountingRunner => {
  const counts = { runs: 0 }
  return {
    counts,
    selectsTests: runner.selectsTests,
    run(request) {
      counts.runs++
      return runner.run(request)
    },
    replay: (test, values) => runner.replay(test, values),
    close: () => runner.close(),
  }
}
