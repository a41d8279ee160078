import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createVitestRunner } from '../src/index.ts'
import { folder, planted, runToExit } from './sweep-process.ts'

const outcome = async (args: readonly string[]) => {
  const { code, err, out } = await runToExit(args)
  return { code, out, says: err.replace(/^sweep: .*\n/gm, '') }
}

it.concurrent.each<[string, string[], RegExp]>([
  ['nothing to run', [], /^guild-ledger-sweep: Nothing to run: give --vitest, or the command .* See --help\.\n$/],
  ['an unknown option', ['--vitst'], /unknown option '--vitst' \(Did you mean --vitest\?\)/],
  ['two ways to run', ['--vitest', '--serve'], /--vitest runs the tests itself: leave out --serve/],
  [
    'no number',
    ['--vitest', '--max-seconds', 'x'],
    /'--max-seconds <n>' argument 'x' is invalid\. It must be an integer ≥ 1/,
  ],
  [
    'an unknown assumption',
    ['--vitest', '--known', 'pageUnits'],
    /Unknown assumption `pageUnits`\. Did you mean `pageUnit`\?/,
  ],
  ['an unknown value', ['--vitest', '--known', 'pageUnit=x'], /`pageUnit` must be one of transaction, group, got "x"/],
  ['a file that is missing', ['--vitest', '--known', 'no.json'], /no such file or directory, open 'no\.json'/],
  ['a lock that is missing', ['--vitest', '--accept', 'no.lock'], /--accept no\.lock cannot be read: ENOENT/],
  ['a reason without a lock', ['--vitest', '--accept-new', 'known'], /--accept-new needs --accept FILE/],
  ['no such program', ['--', 'no-such-program'], /no-such-program cannot be run: spawn no-such-program ENOENT/],
  ['a command without a mock', ['--', 'true'], /No test gets a response from a mock that the tests start/],
  ['a command that fails', ['--', 'false'], /No test passes before any value is changed: false: /],
  ['no report', ['--junit', 'no-*.xml', '--', 'true'], /No test was found: 0 files match no-\*\.xml/],
  ['no test file', ['--vitest', '--', '--root', planted, 'nothing'], /No test was found: no file matches/],
  [
    'an unknown folder',
    ['--vitest', '--', '--root', '/nowhere'],
    /^guild-ledger-sweep: Vitest cannot run the tests: .*\/nowhere\.\n$/,
  ],
])('%s ends with exit code 2 and one sentence', async (_case, args, sentence) => {
  const { code, says, out } = await outcome(args)

  expect([code, out]).toEqual([2, ''])
  expect(says).toMatch(sentence)
  expect(says.trimEnd()).not.toContain('\n')
})

it('rejects a lock with an expired entry before it runs anything', async () => {
  const file = join(folder(), 'sweep.lock')
  const accepted = [{ test: '*', values: 'pageUnit=group', reason: 'known', expires: '2020-01-31' }]
  writeFileSync(file, JSON.stringify({ accepted }))

  const { code, says } = await outcome(['--vitest', '--accept', file, '--', '--root', planted])

  expect(code).toBe(2)
  expect(says).toMatch(/entry 1 expired on 2020-01-31: remove it, or set a later day if it still holds\.\n$/)
})

it('says what to do beside another Vitest', async () => {
  const vitest = join(vi.spyOn(process, 'cwd').mockReturnValue(folder())(), 'node_modules/vitest')
  onTestFinished(() => void vi.restoreAllMocks())
  mkdirSync(vitest, { recursive: true })
  writeFileSync(join(vitest, 'package.json'), '{ "exports": { "./node": "./node.mjs" } }')
  writeFileSync(join(vitest, 'node.mjs'), "export const version = '4.1.12'")

  await expect(createVitestRunner()).rejects.toThrow('There is no Vitest 5 here: install vitest@5, or write your test')
})
