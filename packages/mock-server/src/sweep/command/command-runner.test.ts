import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { createCommandRunner } from './command-runner.ts'

it.each([
  ['at its beginning', 0, ['not-run', 'not-run', 'failed']],
  ['before its first test', 20, ['not-run', 'not-run', 'failed']],
  ['after its first test', 60, ['passed', 'failed', 'passed']],
])('reads the tests in a report that is cut %s, once the tests are known', async (_case, length, expected) => {
  const folder = createTemporaryFolder()
  const junit = join(folder.path, 'report.xml')
  const script = `
    const xml = '<testsuites><testcase classname="c" name="a"/><testcase classname="c" name="b"/></testsuites>'
    const isCut = process.env.GUILD_LEDGER_MOCK_ASSUME !== ''
    require('node:fs').writeFileSync(${JSON.stringify(junit)}, isCut ? xml.slice(0, ${length}) : xml)
    process.exit(isCut ? 3 : 0)`
  const runner = createCommandRunner({ command: [process.execPath, '-e', script], junit })
  onTestFinished(async () => {
    await runner.close()
    folder.remove()
  })
  const statuses = async (assumptions: { pageUnit?: 'group' }) =>
    (await runner.run({ assumptions })).map(({ status }) => status)

  // The tests, and the command as a whole.
  expect(await statuses({})).toEqual(['passed', 'passed', 'passed'])
  expect(await statuses({ pageUnit: 'group' })).toEqual(expected)
})

it('runs pytest without the plugin where Python cannot import it, for example with -I', async () => {
  const folder = createTemporaryFolder()
  const junit = join(folder.path, 'report.xml')
  const script = `
    if (process.env.PYTEST_PLUGINS) throw new Error("Error importing plugin: No module named 'guild_ledger_sweep'")
    require('node:fs').writeFileSync(${JSON.stringify(junit)}, '<testsuites><testcase name="a"/></testsuites>')`
  const runner = createCommandRunner({ command: [process.execPath, '-e', script], junit, serve: true })
  onTestFinished(async () => {
    await runner.close()
    folder.remove()
  })

  const first = await runner.run({ assumptions: {} })
  const second = await runner.run({ assumptions: { pageUnit: 'group' } })

  expect([...first, ...second].map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
})
