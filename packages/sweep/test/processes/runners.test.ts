import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  alternativesTo,
  assume,
  assumptionDefinitions,
  formatAssumptions,
  setProcessWide,
} from '@guild-ledger/mock-server/assumptions'
import { expect, it } from 'vitest'
import { happens, planted as suites } from '../planted/planted.ts'
import { folder, isAll, knownFlags, planted, runToExit, sweepOf } from '../sweep-process.ts'

const flakyFile = () => ({ PLANTED_FLAKY_FILE: join(folder(), 'flaky') })
/** What each planted test breaks under, from running all in this process under all values. */
const expected = (() => {
  const found = alternativesTo(assume()).flatMap(({ key, value }) => {
    setProcessWide({ assumptions: { [key]: value } })
    const values = formatAssumptions({ [key]: value })
    const singles = suites.singles.filter(happens).map((one) => `depends on ${one.value}: fails under ${values}`)
    const pairs = suites.pairs
      .filter((pair) => pair.all.every(happens))
      .map((pair) => `depends on ${pair.values.join(' and ')}: fails under ${values}`)
    return [...singles, ...pairs]
  })
  setProcessWide(undefined)
  return [...found, 'hangs: hangs under createdAtFormat=seconds'].toSorted()
})()
it('has a planted test for each value that was planted', () => {
  expect(expected).toEqual(
    expect.arrayContaining(suites.singles.map(({ value }) => `depends on ${value}: fails under ${value}`)),
  )
})

const all = ['--include', 'maxPage,maxKeysPerGuild']
const allBut = (swept: readonly string[]) => Object.keys(assumptionDefinitions).filter((key) => !swept.includes(key))
// A command runs all tests under each value.
const knownToNode = isAll ? [] : allBut(['pageUnit', 'createdAtFormat', 'sourceMatch', 'totalUnit'])
const isSweptInNode = (name: string) => !knownToNode.some((key) => name.includes(`under ${key}=`))

it('finds each planted test in Vitest, by name', async () => {
  const { report, breaks, ofResult } = await sweepOf(
    ['--vitest', ...all, '--', '--root', planted, 'planted.'],
    flakyFile(),
  )

  expect(breaks).toEqual(expected)
  expect(ofResult('not judged')).toEqual(['is flaky'])
  expect(report.results.find(({ test }) => test.endsWith('is pinned'))?.pinned).toEqual(['pageUnit'])
  expect(report.results[0]?.breaks[0]).toMatchObject({
    message: 'got []',
    location: expect.stringMatching(/packages\/sweep\/test\/planted\/suite\.ts:\d+$/) as string,
    replay: expect.stringMatching(
      /^GUILD_LEDGER_MOCK_ASSUME=pageUnit=group npx vitest run \S+planted\.vitest\.ts '--testNamePattern=depends on pageUnit=group' --root /,
    ) as string,
  })
})

it('finds each planted test in node:test, by its JUnit report', async () => {
  const junit = join(folder(), 'report.xml')
  const flags = ['--test', '--test-reporter=junit', `--test-reporter-destination=${junit}`]
  const command = [process.execPath, ...flags, join(planted, 'planted.node.ts')]

  const { report, breaks, ofResult } = await sweepOf(
    [...all, ...knownFlags(knownToNode), '--junit', junit, '--', ...command],
    flakyFile(),
  )

  expect(breaks).toEqual(expected.filter(isSweptInNode))
  expect(ofResult('not judged')).toEqual(['is flaky'])
  // The sweep knows which test got which response: this one has one user, whom no page splits.
  const ofUser = report.results.find(({ test }) => test.endsWith('depends on createdAtFormat=seconds'))
  expect(ofUser?.passed).not.toContain('pageUnit=group')
})

it('finds planted tests in pytest, against a mock that it serves', async () => {
  const junit = join(folder(), 'report.xml')
  const known = knownFlags(allBut(['pageUnit', 'createdAtFormat']))
  const suite = join(planted, 'test_planted.py')
  const command = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--junitxml=${junit}`, suite]
  const variables = {
    ...flakyFile(),
    PYTHONDONTWRITEBYTECODE: '1',
    // Each of them sends several requests over HTTP.
    PLANTED_ONLY: 'pageUnit=group,createdAtFormat=seconds,createdAtFormat=offset,robust 1',
  }

  const { report, breaks, ofResult } = await sweepOf(
    [...known, '--serve', '--junit', junit, '--', ...command],
    variables,
  )

  expect(breaks).toEqual([
    'test_depends_on[createdAtFormat=offset]: fails under createdAtFormat=offset',
    'test_depends_on[createdAtFormat=seconds]: fails under createdAtFormat=seconds',
    'test_depends_on[pageUnit=group]: fails under pageUnit=group',
    'test_hangs: hangs under createdAtFormat=seconds',
  ])
  expect(ofResult('not judged')).toEqual(['test_flaky'])
  expect(report.results.find(({ breaks: found }) => found.length > 0)?.breaks[0]?.replay).toMatch(
    /^npx @guild-ledger\/sweep --serve --replay pageUnit=group -- python3 -m pytest /,
  )
})

it('finds tests that end in unusual ways under a value, and runs those that they keep from running', async () => {
  const flags = ['--vitest', ...knownFlags(allBut(['totalValueOf', 'createdAtFormat']))]
  const { breaks, ofResult } = await sweepOf([...flags, '--', '--root', planted, 'ends', 'hangs', 'leftover'])

  expect(breaks).toEqual([
    'checks the total at its end: fails under totalValueOf=amount',
    'ends its process: fails under totalValueOf=amount',
    'has a name twice (2): fails under totalValueOf=amount',
    'has a snapshot only under another value: fails under totalValueOf=amount',
    'leaves a loop behind that depends on the total: fails under totalValueOf=amount',
    'loops until a date has milliseconds: hangs under createdAtFormat=seconds',
    'rejects a promise that nobody waits for: fails under totalValueOf=amount',
    'waits for a total that never comes: hangs under totalValueOf=amount',
    'waits longer than the sweep: hangs under totalValueOf=amount',
  ])
  expect(ofResult('not judged')).toEqual(['skips itself by default'])
  expect(ofResult('unreached')).toEqual(['waits while the loop of another test goes on'])
  expect(existsSync(join(planted, '__snapshots__'))).toBe(false)
})

it('takes a command without a report as a whole', async () => {
  const script = join(folder(), 'script.mjs')
  writeFileSync(
    script,
    `import { createMockLedger } from ${JSON.stringify(import.meta.resolve('@guild-ledger/mock-server'))}
    const mock = createMockLedger({ rateLimit: 'off' })
    const { body } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions?limit=1', apiKey: mock.apiKey })
    const { data, pagination } = JSON.parse(body)
    process.exitCode = data[0].transactions.length === 1 && pagination.total === 500 ? 0 : 1`,
  )

  const { breaks, report } = await sweepOf(['--', process.execPath, script])

  expect(breaks).toEqual([
    expect.stringContaining('pageUnit=group') as string,
    expect.stringContaining('totalUnit') as string,
  ])
  expect(report.tests).toBe(1)
})

it('annotates in GitHub Actions, and writes the reports', async () => {
  const out = folder()
  const summary = join(out, 'summary.md')
  const variables = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, ...flakyFile() }
  const args = ['--vitest', ...knownFlags(allBut(['totalUnit'])), '--out', out, '--', '--root', planted, 'planted.']

  const { out: printed, code } = await runToExit(args, variables)

  expect(code).toBe(1)
  expect(printed).toMatch(
    /^::error file=\S+suite\.ts,line=\d+,title=breaks under totalUnit=other::planted\.vitest\.ts > /m,
  )
  expect(['sweep.json', 'sweep.md', 'summary.md'].filter((name) => !existsSync(join(out, name)))).toEqual([])
})

it.concurrent.each<[string, string[], RegExp]>([
  ['no test file', [planted, 'nothing'], /^No test was found: no file matches/],
  ['an unknown folder', ['/nowhere'], /^Vitest cannot run the tests: .*\/nowhere\.\n$/],
])('%s ends the process with exit code 2 and one sentence', async (_case, args, sentence) => {
  const { code, err, out } = await runToExit(['--vitest', '--', '--root', ...args])

  expect([code, out]).toEqual([2, ''])
  expect(err.replace(/^sweep: .*\n/gm, '').replace('guild-ledger-sweep: ', '')).toMatch(sentence)
})
