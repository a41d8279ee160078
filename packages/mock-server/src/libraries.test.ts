import nodeModule from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { lazyLibraries } from './libraries.ts'

afterEach(() => vi.restoreAllMocks())

it('the mock loads faker where a test runner has replaced createRequire by one that loads no ES module', () => {
  class Module extends nodeModule.Module {}
  const createRequire = () => () => {
    throw new Error('Must use import to load ES Module')
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ createRequire, Module })

  expect(lazyLibraries.faker().number.int({ min: 7, max: 7 })).toBe(7)
})
