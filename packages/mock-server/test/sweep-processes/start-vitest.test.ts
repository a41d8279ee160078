import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startVitest } from '../../src/sweep/vitest/start-vitest.ts'
import { folder } from '../cli-process.ts'

const start = async (config: object, ...args: string[]) => {
  const root = folder()
  const files = ['a.test.js', 'b.test.js', 'c.test-d.ts', 'own-setup.js']
  for (const file of files) writeFileSync(join(root, file), '')
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify({ test: config })}`)
  const { vitest, specifications, options } = await startVitest(['--root', root, ...args], {})
  onTestFinished(() => vitest.close())
  return { vitest, options, root, files: specifications.map(({ moduleId }) => basename(moduleId)) }
}

it('runs the setup file of the sweep before others and for each test file, without type tests', async () => {
  const { vitest, files, root } = await start({
    setupFiles: ['./own-setup.js'],
    sequence: { setupFiles: 'parallel' },
    typecheck: { enabled: true },
  })

  expect(files.toSorted()).toEqual(['a.test.js', 'b.test.js'])
  const [config] = vitest.projects.map((project) => project.config)
  expect(config?.sequence.setupFiles).toBe('list')
  // Vitest imports a file in `node_modules` once in a worker, unless it has this query.
  expect(config?.setupFiles).toEqual([expect.stringMatching(/\/setup\.ts\?inline$/), join(root, 'own-setup.js')])
})

it('selects the files of a shard once', async () => {
  const { vitest, files } = await start({}, '--shard=1/2', '--reporter=verbose')

  expect(files).toHaveLength(1)
  expect(vitest.config.shard).toBeUndefined()
  expect(vitest.config.reporters).toEqual([{}])
})

it('says what Vitest says about arguments that it cannot use', async () => {
  await expect(start({}, '--changed')).rejects.toThrow(/^Vitest cannot run the tests: .*[Gg]it/)
  await expect(start({}, '--bail', '1', '--bail', '2')).rejects.toThrow(/^Vitest cannot run the tests: .*--bail/)
})
