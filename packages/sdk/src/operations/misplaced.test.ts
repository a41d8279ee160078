import { expect, it } from 'vitest'
import { optionNames } from './misplaced.ts'
import { iterateChecks } from '../pagination/options.ts'
import { watchChecks } from '../watch/options.ts'

it('knows the options of all calls, paginators and watches', () => {
  expect(optionNames.toSorted()).toEqual(Object.keys({ ...iterateChecks, ...watchChecks }).toSorted())
})
