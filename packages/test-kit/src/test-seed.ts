/**
 * Seed of the random values in this run. In CI it is fixed, so that a failure there was caused by the change. Elsewhere,
 * and with `TEST_SEED=random`, each run has another seed. A number in `TEST_SEED` repeats a run.
 */
export const testSeed = (): number => {
  const { CI, TEST_SEED = CI ? '20260101' : 'random' } = process.env
  return TEST_SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(TEST_SEED)
}
