import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { createTestNotes, endWorkers, takeRunningTests } from './running-tests.ts'

const folder = (): string => {
  const { path, remove } = createTemporaryFolder()
  onTestFinished(remove)
  return path
}

it('knows the tests that started and did not end, once', () => {
  const path = folder()
  const { started, ended } = createTestNotes(path)
  started('a')
  started('b')
  ended('a')

  expect([...takeRunningTests(path)]).toEqual(['b'])
  expect([...takeRunningTests(path)]).toEqual([])
})

it('ends the workers that still run, but not its own process', async () => {
  const path = folder()
  const worker = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const exit = once(worker, 'exit')
  writeFileSync(`${path}/${worker.pid}.running`, '+loops\n')
  createTestNotes(path).started('a')

  endWorkers(path)

  expect(await exit).toEqual([null, 'SIGKILL'])
})
