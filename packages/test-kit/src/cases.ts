/**
 * How many cases a test tries: more in CI than elsewhere, where a few show a mistake. `CASES` multiplies them: `CASES=8` is
 * what a release is tested with.
 */
export const cases = (inCI: number, elsewhere: number): number => {
  const { CI, CASES = '1' } = process.env
  return Math.ceil((CI ? inCI : elsewhere) * Number(CASES))
}
