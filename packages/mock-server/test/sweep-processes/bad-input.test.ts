import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSweep } from '../../src/cli/sweep.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { fileWith, folder, runToExit } from '../cli-process.ts'

const node = process.execPath
const planted = join(import.meta.dirname, '../sweep-planted')
const unknownAssumption = JSON.stringify({ accepted: [{ test: 't', values: 'pageUnits=group', reason: 'r' }] })
/** A command that writes a file. */
const writing = (file: string, text: string) => [node, '-e', `fs.writeFileSync('${file}', '${text}')`]

describe('guild-ledger-mock sweep says in one sentence what is wrong, and writes nothing', () => {
  it.each<[string, () => string[], RegExp]>([
    ['no command', () => [], /^sweep needs --vitest, or the command that runs the tests after --, see --help\.$/],
    ['an unknown option', () => ['--vite'], /^Unknown option '--vite'\. See guild-ledger-mock sweep --help\.$/],
    ['no time', () => ['--max-seconds', '0', '--vitest'], /^`--max-seconds` must be an integer ≥ 1, got "0"$/],
    [
      'an unknown assumption',
      () => ['--skip', 'pageUnits', '--vitest'],
      /^--skip: Unknown assumption `pageUnits`\. Did you mean `pageUnit`\?$/,
    ],
    [
      'a file of assumptions that is missing',
      () => ['--skip', '/no/assumptions.json', '--vitest'],
      /^--skip \/no\/assumptions\.json cannot be read: ENOENT/,
    ],
    [
      'a file of assumptions that is no JSON',
      () => ['--skip', fileWith('{'), '--vitest'],
      /^--skip \S+ is not JSON\.$/,
    ],
    [
      'a file of unknown assumptions',
      () => ['--skip', fileWith('{"pageUnits":"group"}'), '--vitest'],
      /^--skip \S+: Unknown assumption `pageUnits`\. Did you mean `pageUnit`\?$/,
    ],
    [
      'a lock that is missing',
      () => ['--accept', '/no/lock', '--vitest'],
      /^--accept \/no\/lock cannot be read: ENOENT/,
    ],
    [
      'an unknown assumption in the lock',
      () => ['--accept', fileWith(unknownAssumption), '--vitest'],
      /entry 1: pageUnits=group: Unknown assumption `pageUnits`\. Did you mean `pageUnit`\?$/,
    ],
    [
      'a folder without tests for Vitest',
      () => ['--vitest', '--', '--root', '/no/such/folder'],
      /^Vitest cannot run the tests: Root path does not exist or is not a directory: \/no\/such\/folder\.$/,
    ],
    [
      'an environment of Vitest that is not installed',
      () => ['--vitest', '--', '--root', planted, '--environment', 'no-such', '--reporter=verbose', 'own'],
      /^Vitest cannot run the tests: .*own\.vitest\.ts: .*no-such/,
    ],
    [
      'no report',
      () => ['--junit', '/no/such/*.xml', '--', node, '-e', ''],
      /^No test was found: the command wrote no file that matches \/no\/such\/\*\.xml\.$/,
    ],
    [
      'a command that does not exist',
      () => ['--', 'no-such-program'],
      /^no-such-program cannot be run: spawn no-such-program ENOENT\.$/,
    ],
    [
      'a command that fails',
      () => ['--', node, '-e', 'process.exit(3)'],
      /^The tests fail before any assumption is changed: .*process\.exit/,
    ],
    [
      'a command that reaches no mock',
      () => ['--', node, '-e', ''],
      /^No test reached a mock: use createMockLedger in the tests, or --serve to start a mock for them\.$/,
    ],
    [
      'a report that is no XML',
      () => {
        const file = join(folder(), 'report.xml')
        return ['--junit', file, '--', ...writing(file, '1..4')]
      },
      /report\.xml is not XML: the test runner has to write JUnit XML there\.$/,
    ],
    [
      'a report in which all tests are skipped',
      () => {
        const file = join(folder(), 'report.xml')
        const skipped = '<testsuites><testcase name="a"><skipped/></testcase></testsuites>'
        return ['--junit', file, '--', ...writing(file, skipped)]
      },
      /^No test ran: all are skipped\.$/,
    ],
    [
      'a report without tests',
      () => {
        const file = join(folder(), 'report.xml')
        return ['--junit', file, '--', ...writing(file, '<testsuites/>')]
      },
      /^No test was found: the files that match .*report\.xml have none\.$/,
    ],
  ])('for %s', { timeout: 60_000 }, async (_case, args, sentence) => {
    const out = join(folder(), 'out')

    const rejection = await runSweep(['--out', out, ...args()]).catch((error: unknown) => error)

    expect(rejection).toBeInstanceOf(UsageError)
    expect((rejection as Error).message).toMatch(sentence)
    expect(existsSync(out)).toBe(false)
  })
})

it('guild-ledger-mock sweep exits with 2 where there is nothing to sweep', { timeout: 60_000 }, async () => {
  const out = join(folder(), 'out')

  const result = await runToExit('sweep', '--out', out, '--vitest', '--', '--root', planted, 'nowhere')

  expect(result.err.trimEnd().split('\n').at(-1)).toBe(
    'guild-ledger-mock: No test was found: no file matches the arguments of Vitest.',
  )
  expect(result.code).toBe(2)
  expect(result.out).toBe('')
  expect(existsSync(out)).toBe(false)
})

it('guild-ledger-mock sweep says before it starts that a report cannot be written', async () => {
  const file = fileWith('')

  await expect(runSweep(['--out', file, '--', 'no-such-program'])).rejects.toThrow(
    `--out ${file} must be a folder, but it is a file.`,
  )
})
