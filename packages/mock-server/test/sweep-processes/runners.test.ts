import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReportInput } from '@guild-ledger/mock-server/sweep'
import { assumptionDefinitions, formatAssumptions } from '../../src/assumptions/index.ts'
import { fileWith, folder, runToExit } from '../cli-process.ts'

const planted = join(import.meta.dirname, '../sweep-planted')
/** Few values, to keep the time short; `sweep.test.ts` and `scripts/sweep-cost.ts` have them all. */
const swept = new Set(['pageUnit', 'totalValueOf', 'createdAtFormat'])
const skip = Object.keys(assumptionDefinitions)
  .filter((key) => !swept.has(key))
  .join(',')

const sweepOf = async (...args: string[]) => {
  process.env.PLANTED_FLAKY_FILE = join(folder(), 'flaky')
  const { out, err, code } = await runToExit('sweep', '--json', '--skip', skip, ...args)
  expect(err).not.toContain('guild-ledger-mock:')
  expect(code).toBe(1)
  const { report } = JSON.parse(out) as ReportInput
  return {
    report,
    breaks: report.breaks.map(
      ({ test, kind, values }) => `${test.split(' > ').at(-1)}: ${kind} under ${formatAssumptions(values)}`,
    ),
  }
}

const expected = [
  'depends on pageUnit=group: fails under pageUnit=group',
  'depends on totalValueOf=amount: fails under totalValueOf=amount',
  'depends on createdAtFormat=seconds: fails under createdAtFormat=seconds',
  'hangs: hangs under createdAtFormat=seconds',
  'depends on createdAtFormat=offset: fails under createdAtFormat=offset',
]

describe('guild-ledger-mock sweep', () => {
  it(
    'finds the planted tests of a Vitest suite, the hanging, flaky and pinned one too',
    { timeout: 120_000 },
    async () => {
      const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, 'planted.vitest')

      expect(breaks).toEqual(expected)
      expect(report.setAside).toEqual([{ test: 'planted.vitest.ts > is flaky', reason: 'flaky' }])
      expect(report.notTriedAfterHang).toEqual([
        { test: 'planted.vitest.ts > hangs', values: ['createdAtFormat=offset'], reason: 'hung before' },
      ])
      expect(report.pinned).toContainEqual({ test: 'planted.vitest.ts > is pinned', values: ['pageUnit'] })
      expect(report.breaks[0]).toMatchObject({
        message: 'got []',
        location: 'packages/mock-server/test/sweep-planted/suite.ts:10',
      })
      expect(report.breaks[0]?.replay).toBe(
        `GUILD_LEDGER_MOCK_ASSUME=pageUnit=group npx vitest run packages/mock-server/test/sweep-planted/planted.vitest.ts -t 'depends on pageUnit=group' --root ${planted}`,
      )
    },
  )

  it(
    'runs the tests of a file again that did not run because others of the file hang',
    { timeout: 120_000 },
    async () => {
      const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, 'hangs')

      expect(breaks).toEqual([
        'waits for a total that never comes: hangs under totalValueOf=amount',
        'loops until a date has milliseconds: hangs under createdAtFormat=seconds',
      ])
      expect(report.setAside).toEqual([])
      const survived = new Map(report.survives.map(({ test, values }) => [test, values]))
      for (const name of ['is robust 1', 'is robust 2', 'is robust 3']) {
        expect(survived.get(`hangs.vitest.ts > ${name}`)).toEqual(
          expect.arrayContaining(['totalValueOf=amount', 'createdAtFormat=seconds', 'createdAtFormat=offset']),
        )
      }
    },
  )

  it(
    'runs the tests of a file that share a mock under one value at a time, beside tests with mocks of their own',
    { timeout: 120_000 },
    async () => {
      const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, 'shared', 'own')

      const findings = [
        'counts three transactions of a page, SUFFIX: fails under pageUnit=group',
        'adds up the totals, SUFFIX: fails under totalValueOf=amount',
        'reads milliseconds, SUFFIX: fails under createdAtFormat=seconds',
        'reads milliseconds, SUFFIX: fails under createdAtFormat=offset',
      ]
      const ofFile = findings.map((text) => text.replace('SUFFIX', 'through the mock of the file'))
      const own = findings.map((text) => text.replace('SUFFIX', 'through its own mock'))
      expect(breaks.toSorted()).toEqual([...ofFile, ...own].toSorted())
      expect(report.setAside).toEqual([])
    },
  )

  it('finds tests that end in unusual ways under a value, each by its own name', { timeout: 120_000 }, async () => {
    const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, 'ends')

    expect(breaks.toSorted()).toEqual([
      'checks the total at its end: fails under totalValueOf=amount',
      'ends its process: fails under totalValueOf=amount',
      'has a name twice (2): fails under totalValueOf=amount',
      'has a snapshot only under another value: fails under totalValueOf=amount',
      'rejects a promise that nobody waits for: fails under totalValueOf=amount',
      'waits longer than the sweep: hangs under totalValueOf=amount',
    ])
    expect(report.breaks.find(({ message }) => message === 'the bot crashed')?.test).toContain('rejects a promise')
    expect(report.setAside).toEqual([{ test: 'ends.vitest.ts > skips itself by default', reason: 'skips itself' }])
    const survived = report.survives.filter(({ values }) => values.includes('totalValueOf=amount'))
    expect(survived.map(({ test }) => test)).toEqual([
      'ends.vitest.ts > is robust',
      'ends.vitest.ts > has a name twice',
    ])
    expect(report.notTriedAfterHang.map(({ test }) => test)).toEqual(['ends.vitest.ts > waits longer than the sweep'])
    expect(existsSync(join(planted, '__snapshots__'))).toBe(false)
  })

  it('sweeps the projects of a Vitest configuration', { timeout: 120_000 }, async () => {
    const config = join(planted, 'projects.config.ts')
    const { report } = await sweepOf('--vitest', '--', '--root', planted, '--config', config, 'own')

    const found = report.breaks.filter(({ values }) => values.pageUnit === 'group')
    expect(found.map(({ test }) => test).toSorted()).toEqual([
      '|one| own.vitest.ts > counts three transactions of a page, through its own mock',
      '|two| own.vitest.ts > counts three transactions of a page, through its own mock',
    ])
    expect(found.every(({ test, replay }) => replay.endsWith(` --project=${test.slice(1, 4)}`))).toBe(true)
  })

  it('sweeps tests that run in a browser', { timeout: 120_000 }, async () => {
    const config = join(planted, 'browser.config.ts')
    const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, '--config', config, 'own', 'shared')

    expect(breaks).toHaveLength(8)
    expect(breaks).toContain('adds up the totals, through its own mock: fails under totalValueOf=amount')
    expect(breaks).toContain('adds up the totals, through the mock of the file: fails under totalValueOf=amount')
    expect(report.setAside).toEqual([])
    expect(report.breaks[0]?.replay).toMatch(/^Add assumptions: \{"\w+":"\w+"\} to the options of createMockLedger/)
  })

  it.each([
    ['end a run at the first failure', ['--bail=1', 'own']],
    ['select a shard', ['--shard=1/2', 'own', 'shared']],
  ])('runs each test although the options of Vitest %s', { timeout: 120_000 }, async (_case, args) => {
    const { breaks, report } = await sweepOf('--vitest', '--', '--root', planted, ...args)

    expect(breaks).toHaveLength(4)
    expect(report.notTriedAfterHang).toEqual([])
  })

  it(
    'finds what depends on a mock that files share, where these run one after the other in one worker',
    { timeout: 120_000 },
    async () => {
      const inOneWorker = ['--no-isolate', '--no-file-parallelism']
      const { report, breaks } = await sweepOf('--vitest', '--', '--root', planted, ...inOneWorker, 'module', 'lazy')

      const findings = ['one', 'two', 'lazy-two'].flatMap((file) => [
        `counts three transactions of a page, in file ${file}: fails under pageUnit=group`,
        `adds up the totals, in file ${file}: fails under totalValueOf=amount`,
        `reads milliseconds, in file ${file}: fails under createdAtFormat=seconds`,
        `reads milliseconds, in file ${file}: fails under createdAtFormat=offset`,
      ])
      expect(breaks.toSorted()).toEqual(findings.toSorted())
      expect(report.setAside).toEqual([])
    },
  )

  it.each(['--no-isolate', '--pool=vmThreads'])(
    'runs the tests of a file again that was not reached because a test of another one hangs, with %s',
    { timeout: 120_000 },
    async (pool) => {
      const args = ['--root', planted, '--no-file-parallelism', pool, 'loop']
      const { report, breaks } = await sweepOf('--vitest', '--', ...args)

      expect(breaks.toSorted()).toEqual([
        'adds up the totals, after the loop: fails under totalValueOf=amount',
        'counts three transactions of a page, after the loop: fails under pageUnit=group',
        'loops until a date has milliseconds: hangs under createdAtFormat=seconds',
        'reads milliseconds, after the loop: fails under createdAtFormat=offset',
        'reads milliseconds, after the loop: fails under createdAtFormat=seconds',
      ])
      expect(report.setAside).toEqual([])
    },
  )

  it('finds the planted tests of a node:test suite by its JUnit report', { timeout: 120_000 }, async () => {
    const report = join(folder(), 'report.xml')
    const flags = [
      '--conditions=@guild-ledger/source',
      '--test',
      '--test-reporter=junit',
      `--test-reporter-destination=${report}`,
    ]
    const command = [process.execPath, ...flags, join(planted, 'planted.node.ts')]

    const { report: found, breaks } = await sweepOf('--junit', report, '--', ...command)

    expect(breaks.toSorted()).toEqual(expected.toSorted())
    expect(found.setAside.map(({ test, reason }) => [test.split(' > ').at(-1), reason])).toEqual([
      ['is flaky', 'flaky'],
    ])
    // The sweep knows which test received which response: this one has one user, whom no page splits.
    const ofUser = found.survives.find(({ test }) => test.endsWith('depends on createdAtFormat=seconds'))
    expect(ofUser?.values).toEqual(['createdAtFormat=offset'])
    expect(found.breaks[0]?.replay).toBe(`GUILD_LEDGER_MOCK_ASSUME=pageUnit=group ${command.join(' ')}`)
  })

  it.each([
    [
      'sets aside',
      '<testcase name="fails always"><failure/></testcase>',
      Object.keys(assumptionDefinitions),
      'Set aside:\n  fails always (fails)',
      'fails always is set aside (fails): the sweep says nothing about it.',
    ],
    [
      'could not try under a value',
      '<testcase name="skips itself">${process.env.GUILD_LEDGER_MOCK_ASSUME ? "<skipped/>" : ""}</testcase>',
      Object.keys(assumptionDefinitions).filter((key) => key !== 'pageUnit'),
      '0 of 2 tests depend on unspecified behaviour. 1 test not tried under some values.',
      'skips itself was not tried under pageUnit=group: the test skips itself under the value.',
    ],
  ])(
    'fails because of a test that it %s, if it is asked to, and names the test',
    { timeout: 60_000 },
    async (_case, testcase, skipped, printed, sentence) => {
      const report = join(folder(), 'report.xml')
      const script = fileWith(`
      const mock = (await import(${JSON.stringify(import.meta.resolve('@guild-ledger/mock-server'))})).createMockLedger()
      mock.respond({ method: 'GET', target: '/guild/ledger/transactions', apiKey: mock.apiKey })
      const xml = \`<testsuites><testcase name="lists"/>${testcase}</testsuites>\`
      ;(await import('node:fs')).writeFileSync(${JSON.stringify(report)}, xml)
    `)
      const source = ['--conditions=@guild-ledger/source', '--input-type=module', '-e']
      const load = `await import('data:text/javascript,' + encodeURIComponent((await import('node:fs')).readFileSync('${script}', 'utf8')))`
      const command = ['--skip', skipped.join(','), '--junit', report, '--', process.execPath, ...source, load]

      const lenient = await runToExit('sweep', ...command)
      const strict = await runToExit('sweep', '--fail-if-set-aside', ...command)

      expect(lenient.code).toBe(0)
      expect(lenient.out).toContain(printed)
      expect(strict.code).toBe(1)
      expect(strict.err.trimEnd().split('\n').at(-1)).toBe(`guild-ledger-mock: ${sentence}`)
    },
  )

  it('takes a command without a report as a whole', { timeout: 60_000 }, async () => {
    const script = fileWith(`
      const mock = (await import(${JSON.stringify(import.meta.resolve('@guild-ledger/mock-server'))})).createMockLedger({ rateLimit: 'off' })
      const { body } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions?limit=1', apiKey: mock.apiKey })
      process.exitCode = JSON.parse(body).data.length === 1 && JSON.parse(body).pagination.total === 500 ? 0 : 1
    `)

    const { breaks, report } = await sweepOf(
      '--',
      process.execPath,
      '--conditions=@guild-ledger/source',
      '--input-type=module',
      '-e',
      `await import('data:text/javascript,' + encodeURIComponent((await import('node:fs')).readFileSync('${script}', 'utf8')))`,
    )

    expect(breaks).toHaveLength(1)
    expect(breaks[0]).toMatch(/: fails under pageUnit=group$/)
    expect(report.tests).toBe(1)
  })
})
