import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { parseCommandLine } from '../src/command-line.ts'
import { createVitestRunner } from '../src/index.ts'
import { readLock } from '../src/lock.ts'
import { createCommandRunner } from '../src/run/command/runner.ts'
import { serveMock } from '../src/run/command/serve.ts'
import { sweep } from '../src/sweep.ts'
import { folder } from './sweep-process.ts'

const own = mkdtempSync(join(tmpdir(), 'guild-ledger-'))
afterAll(() => rmSync(own, { recursive: true }))
const written = (name: string, content: string): string => {
  writeFileSync(join(own, name), content)
  return join(own, name)
}

const knownOf = async (known: string, environment = {}) =>
  (await parseCommandLine(['--vitest', '--known', known], environment))?.known

it('the command line reads --known as other programs write it', async () => {
  const known = written('windows.json', '\uFEFF{\r\n  "pageUnit": "group"\r\n}\r\n')

  expect(await knownOf(known)).toMatchObject({ base: { pageUnit: 'group' }, names: [] })
  expect(await knownOf('maxPage,pageUnit=group')).toMatchObject({ base: { pageUnit: 'group' }, names: ['maxPage'] })
})

const files = {
  noComma: written('known.json', '\uFEFF{"pageUnit":"group"\n"maxPage":1}'),
  wrong: written('wrong.json', '{"pageUnit":\r\n "x"}'),
}
it.each<[string, RegExp]>([
  ['', /^Nothing to run: give --vitest, or the command .* See --help\.$/],
  ['--vitst', /unknown option '--vitst' \(Did you mean --vitest\?\)/],
  ['--vitest --serve', /--vitest runs the tests itself: leave out --serve/],
  ['--vitest --max-seconds x', /'--max-seconds <n>' argument 'x' is invalid\. It must be an int/],
  ['--vitest --known pageUnits', /`pageUnits`\. Did you mean `pageUnit`\?/],
  ['--vitest --known pageUnit=x', /`pageUnit` must be one of transaction, group, got "x"/],
  [`--vitest --known ${files.noComma}`, /line 2, column 1: must be JSON: expected a comma or \}, got/],
  [`--vitest --known ${files.wrong}`, /: line 2, column 2: `pageUnit` must be one of transaction, group, got "x"\.$/],
  ['--vitest --known no.json', /^--known no\.json: there is no such file\.$/],
  ['--vitest --accept-new known', /--accept-new needs --accept FILE/],
])('the command line rejects %j with one sentence: %s', async (typed, sentence) => {
  const args = typed.split(' ').filter(Boolean)
  const message = expect.stringMatching(sentence) as string

  await expect(parseCommandLine(args)).rejects.toEqual(expect.objectContaining({ name: 'SweepError', message }))
  await expect(parseCommandLine(args)).rejects.not.toThrow('\n')
})

it('a lock that is missing, or has an expired entry, is rejected', async () => {
  const file = join(folder(), 'sweep.lock')
  const accepted = [{ test: '*', values: 'pageUnit=group', reason: 'known', expires: '2020-01-31' }]
  writeFileSync(file, JSON.stringify({ accepted }))

  expect(await readLock('no.lock', true)).toEqual([])
  await expect(readLock('no.lock', false)).rejects.toThrow('--accept no.lock: there is no such file.')
  await expect(readLock(file, false)).rejects.toThrow(
    `--accept ${file}: line 1, column 79: accepted[0]: it expired on 2020-01-31: remove it, or set a later day if it still holds.`,
  )
})

it('the command line takes the values of the environment as known ones', async () => {
  const environment = { GUILD_LEDGER_MOCK_ASSUME: 'pageUnit=group,maxPage=3' }

  expect(await knownOf('maxPage=5', environment)).toMatchObject({ base: { pageUnit: 'group', maxPage: 5 } })
  await expect(parseCommandLine(['--vitest'], { GUILD_LEDGER_MOCK_ASSUME: 'pageUnits=x' })).rejects.toThrow(
    'GUILD_LEDGER_MOCK_ASSUME: pageUnits=x: Unknown assumption `pageUnits`. Did you mean `pageUnit`?',
  )
})

it.each([
  ['--serve', [], 1000, 50],
  ['--mock', ['--mock', `--transactions='3' --users 1 --api-key my-'ke"y'`], 3, 1],
] as const)('%s serves what guild-ledger-mock serves', async (_option, given, transactions, users) => {
  const { serve = [] } = (await parseCommandLine(['--serve', ...given, '--', 'true'])) ?? {}
  const { variables, close } = await serveMock(serve, {})
  onTestFinished(close)

  const headers = { 'x-api-key': variables.GUILD_LEDGER_API_KEY }
  const response = await fetch(`${variables.GUILD_LEDGER_BASE_URL}/guild/ledger/transactions`, { headers })

  expect(await response.json()).toMatchObject({ summary: { totalTransactions: transactions, uniqueUsers: users } })
})

it.concurrent.each<[string, string[], object?]>([
  ['no-such-program cannot be run: spawn no-such-program E', ['no-such-program']],
  ['No test gets a response from a mock that the tests start', ['true']],
  ['No test passes before any value is changed: false: ', ['false']],
  ['No test was found in 0 reports that were written and match no-*.xml.', ['true'], { junit: 'no-*.xml' }],
  ["guild-ledger-mock: unknown option '--user' (Did you mean --users?) See --help.", ['true'], { serve: ['--user'] }],
])('a sweep cannot start: %s', async (message, command, options) => {
  const runner = createCommandRunner({ command, ...options })

  await expect(sweep({ runner })).rejects.toThrow(message)
  await runner.close()
})

it('reports of a run are those that it writes, whatever clock their time is from', async () => {
  const [old, report] = [join(own, 'old.xml'), join(own, 'new.xml')]
  const xml = '<testsuites><testcase name="one"/></testsuites>'
  const script = `fs.writeFileSync('${report}', '${xml}'); fs.utimesSync('${report}', 0, 0)`
  writeFileSync(old, xml.replace('one', 'of an earlier run'))
  utimesSync(old, 4e9, 4e9)
  const runner = createCommandRunner({ command: [process.execPath, '-e', script], junit: join(own, '*.xml') })

  expect((await runner.run({ values: {} })).map(({ name }) => name)).toEqual(['one', runner.name])
  await runner.close()
})

it('a sweep says what to do beside another Vitest', async () => {
  const vitest = join(vi.spyOn(process, 'cwd').mockReturnValue(folder())(), 'node_modules/vitest')
  onTestFinished(() => void vi.restoreAllMocks())
  mkdirSync(vitest, { recursive: true })
  writeFileSync(join(vitest, 'package.json'), '{ "exports": { "./node": "./node.mjs" } }')
  writeFileSync(join(vitest, 'node.mjs'), "export const version = '4.1.12'")

  await expect(createVitestRunner()).rejects.toThrow('There is no Vitest 5 here: install vitest@5, or write your test')
})
