import { expect, it } from 'vitest'
import { inOneWorker } from './one-worker.ts'

const project = (isolate: boolean, pool = 'forks', maxWorkers = 4) => ({ config: { isolate, pool, maxWorkers } })

it.each([
  ['are isolated', [project(true), project(true, 'threads')], [4, 4]],
  ['are isolated by a VM', [project(false, 'vmThreads')], [4]],
  ['share modules', [project(false)], [1]],
  ['share modules in one of the projects', [project(true), project(false, 'threads')], [1, 1]],
])('uses as many workers as can share no mock, where files %s', async (_case, projects, expected) => {
  const workers = () => projects.map(({ config }) => config.maxWorkers)
  const before = workers()

  expect(await inOneWorker(projects as never, async () => workers())).toEqual(expected)
  expect(workers()).toEqual(before)
})
