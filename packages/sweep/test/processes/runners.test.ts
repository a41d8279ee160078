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
import { allBut, flakyFile, folder, isAll, knownFlags, planted, runToExit, sweepOf } from '../sweep-process.ts'

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

const all = ['--include', 'maxPage,maxKeysPerGuild']
const isSwept = (known: readonly string[]) => (name: string) => !known.some((key) => name.includes(`under ${key}=`))
const fourth = Object.keys(assumptionDefinitions).filter((key, i) => i % 4 === 0 || key === 'createdAtFormat')
const knownToVitest = isAll ? [] : allBut(fourth)
// A command runs all tests under each value.
const knownToNode = isAll ? [] : allBut(['pageUnit', 'createdAtFormat'])

it('finds each planted test in Vitest, by name', async () => {
  const { report, breaks, ofResult } = await sweepOf(
    ['--vitest', ...all, ...knownFlags(knownToVitest), '--', '--root', planted, 'planted.'],
    flakyFile(),
  )

  const singles = suites.singles.map(({ value }) => `depends on ${value}: fails under ${value}`)
  expect(singles.filter((one) => !expected.includes(one))).toEqual([])
  expect(breaks).toEqual(expected.filter(isSwept(knownToVitest)))
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

  expect(breaks).toEqual(expected.filter(isSwept(knownToNode)))
  expect(ofResult('not judged')).toEqual(['is flaky'])
  // The sweep knows which test got which response: this one has one user, whom no page splits.
  const ofUser = report.results.find(({ test }) => test.endsWith('depends on createdAtFormat=seconds'))
  expect(ofUser?.passed).not.toContain('pageUnit=group')
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

  const known = knownFlags(isAll ? [] : allBut(['pageUnit', 'totalUnit', 'userLimit']))
  const { breaks, report } = await sweepOf([...known, '--', process.execPath, script])

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
