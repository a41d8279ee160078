import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { createCommandRunner } from './command-runner.ts'

it('takes half a report for none once the tests are known', async () => {
  const folder = createTemporaryFolder()
  const junit = join(folder.path, 'report.xml')
  const script = `
    const xml = '<testsuites><testcase classname="c" name="a"/></testsuites>'
    const isCut = process.env.GUILD_LEDGER_MOCK_ASSUME !== ''
    require('node:fs').writeFileSync(${JSON.stringify(junit)}, isCut ? xml.slice(0, 20) : xml)
    process.exit(isCut ? 3 : 0)`
  const runner = createCommandRunner({ command: [process.execPath, '-e', script], junit })
  onTestFinished(async () => {
    await runner.close()
    folder.remove()
  })
  const statuses = async (assumptions: { pageUnit?: 'group' }) =>
    (await runner.run({ assumptions })).map(({ status }) => status)

  // The test, and the command as a whole.
  expect(await statuses({})).toEqual(['passed', 'passed'])
  expect(await statuses({ pageUnit: 'group' })).toEqual(['not-run', 'failed'])
})
