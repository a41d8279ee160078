import type { Vitest } from 'vitest/node'

type Project = Pick<Vitest['projects'][number], 'config'>

/** Whether files of a project that run in one worker can share a mock. */
const mayShare = ({ config }: Project): boolean => !config.isolate && !config.pool.startsWith('vm')

/**
 * Runs all files in one worker if files of one worker can share a mock: which files these are may be different in each
 * run, but the trace has to show each mock that files can share.
 */
export const inOneWorker = async <Result>(
  projects: readonly Project[],
  run: () => Promise<Result>,
): Promise<Result> => {
  if (!projects.some(mayShare)) return run()
  const before = projects.map(({ config }) => [config, config.maxWorkers] as const)
  // Vitest wants the same number for all projects that run at the same time.
  for (const { config } of projects) config.maxWorkers = 1
  try {
    return await run()
  } finally {
    for (const [config, maxWorkers] of before) config.maxWorkers = maxWorkers
  }
}
