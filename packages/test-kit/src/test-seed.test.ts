import { afterEach, expect, it, vi } from 'vitest'
import { testSeed } from './test-seed.ts'

afterEach(() => void vi.unstubAllEnvs())

it('the seed is the same for every run in CI', () => {
  vi.stubEnv('CI', 'true')
  vi.stubEnv('TEST_SEED', undefined)

  expect([testSeed(), testSeed()]).toEqual([20_260_101, 20_260_101])
})

it.each([
  ['outside CI', '', undefined],
  ['with TEST_SEED=random', 'true', 'random'],
])('the seed differs from run to run %s', (_case, ci, seed) => {
  vi.stubEnv('CI', ci)
  vi.stubEnv('TEST_SEED', seed)

  expect(new Set([testSeed(), testSeed(), testSeed()]).size).toBeGreaterThan(1)
})

it('the seed is the number in TEST_SEED', () => {
  vi.stubEnv('TEST_SEED', '42')

  expect(testSeed()).toBe(42)
})
