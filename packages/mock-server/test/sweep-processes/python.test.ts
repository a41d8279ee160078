import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ReportInput } from '@guild-ledger/mock-server/sweep'
import { assumptionDefinitions, formatAssumptions } from '../../src/assumptions/index.ts'
import { createPytestPlugin } from '../../src/sweep/command/pytest-plugin.ts'
import { folder, runToExit } from '../cli-process.ts'

const suite = join(import.meta.dirname, '../sweep-planted/test_planted.py')
/** Few values and tests, to keep the time short; `scripts/sweep-cost.ts pytest` has them all. */
const swept = new Set(['pageUnit', 'createdAtFormat'])
const skip = Object.keys(assumptionDefinitions)
  .filter((key) => !swept.has(key))
  .join(',')

it(
  'finds the planted tests of a pytest suite against a mock that it serves, and the test that hangs',
  { timeout: 300_000 },
  async () => {
    const report = join(folder(), 'report.xml')
    process.env.PLANTED_FLAKY_FILE = join(folder(), 'flaky')
    process.env.PYTHONDONTWRITEBYTECODE = '1'
    // Only tests that the two assumptions concern: each of them sends several requests over HTTP.
    process.env.PLANTED_ONLY = 'pageUnit=group,createdAtFormat=seconds,createdAtFormat=offset,robust 1'
    const command = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--junitxml=${report}`, suite]

    const { out, err } = await runToExit(
      'sweep',
      '--json',
      '--skip',
      skip,
      '--serve',
      '--junit',
      report,
      '--',
      ...command,
    )

    expect(err).not.toContain('guild-ledger-mock:')
    const { report: found } = JSON.parse(out) as ReportInput
    const breaks = found.breaks.map(
      ({ test, kind, values }) => `${test.split(' > ').at(-1)}: ${kind} under ${formatAssumptions(values)}`,
    )
    expect(breaks).toEqual([
      'test_depends_on[pageUnit=group]: fails under pageUnit=group',
      'test_depends_on[createdAtFormat=seconds]: fails under createdAtFormat=seconds',
      'test_hangs: hangs under createdAtFormat=seconds',
      'test_depends_on[createdAtFormat=offset]: fails under createdAtFormat=offset',
    ])
    expect(found.setAside.map(({ test, reason }) => [test.split(' > ').at(-1), reason])).toEqual([
      ['test_flaky', 'flaky'],
    ])
    // The sweep knows which test received which response: this one has one user, whom no page splits.
    const ofUser = found.survives.find(({ test }) => test.endsWith('test_depends_on[createdAtFormat=seconds]'))
    expect(ofUser?.values).toEqual(['createdAtFormat=offset'])
    expect(found.breaks[0]?.replay).toMatch(
      /^npx guild-ledger-mock sweep --serve --replay pageUnit=group -- python3 -m pytest /,
    )
  },
)

it('takes a shared fixture for shared after it asked for another fixture', { timeout: 120_000 }, () => {
  const place = folder()
  const file = join(place, 'test_fixtures.py')
  writeFileSync(
    file,
    `import os, pathlib, pytest

@pytest.fixture(scope="session")
def url():
    return "url"

@pytest.fixture(scope="module")
def noted(request):
    request.getfixturevalue("url")
    return pathlib.Path(os.environ["GUILD_LEDGER_MOCK_TESTS"], str(os.getpid())).read_text()

def test_noted(noted):
    assert noted == "shared"
`,
  )
  const { variables } = createPytestPlugin(place)
  const env = { ...process.env, ...variables, PYTHONDONTWRITEBYTECODE: '1' }

  const out = execFileSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file], { env, encoding: 'utf8' })

  expect(out).toContain('1 passed')
})
