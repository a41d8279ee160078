import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allBut, flakyFile, folder, isAll, knownFlags, planted, sweepOf } from '../sweep-process.ts'

it('finds planted tests in pytest, against a mock that it serves', async () => {
  const junit = join(folder(), 'report.xml')
  // To stop a test that hangs takes half a minute; `runners.test.ts` stops another.
  const known = knownFlags(allBut(['pageUnit', ...(isAll ? ['createdAtFormat'] : [])]))
  const python = 'python3 -m pytest -q -p no:cacheprovider'.split(' ')
  const variables = {
    ...flakyFile(),
    PYTHONDONTWRITEBYTECODE: '1',
    // Each of them sends several requests over HTTP.
    PLANTED_ONLY: 'pageUnit=group,createdAtFormat=seconds,createdAtFormat=offset,robust 1',
  }

  const { report, breaks, ofResult } = await sweepOf(
    [...known, '--serve', '--junit', junit, '--', ...python, `--junitxml=${junit}`, join(planted, 'test_planted.py')],
    variables,
  )

  const expected = [
    'test_depends_on[createdAtFormat=offset]: fails under createdAtFormat=offset',
    'test_depends_on[createdAtFormat=seconds]: fails under createdAtFormat=seconds',
    'test_depends_on[pageUnit=group]: fails under pageUnit=group',
    'test_hangs: hangs under createdAtFormat=seconds',
  ]
  expect(breaks).toEqual(expected.filter((one) => isAll || one.includes('pageUnit')))
  expect(ofResult('not judged')).toEqual(['test_flaky'])
  expect(report.results.find(({ breaks: found }) => found.length > 0)?.breaks[0]?.replay).toMatch(
    /^npx @guild-ledger\/sweep --serve --replay pageUnit=group -- python3 -m pytest /,
  )
})
