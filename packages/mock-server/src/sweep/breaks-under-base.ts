import { assume, type AssumptionKey } from '../assumptions/index.ts'
import { breakOf } from './break-of.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { Break, Values } from './types.ts'
import type { Work } from './work.ts'

/**
 * Tests that fail under the base values and pass under the defaults. They depend on a base value that fails alone, or else
 * on several together.
 */
export const breaksUnderBase = async ({ runner, baseline, base }: Work): Promise<Break[]> => {
  const { failing, limits } = baseline
  const defaults = assume({})
  const changed = Object.entries(base).filter(([key, value]) => defaults[key as AssumptionKey] !== value)
  if (failing.length === 0 || changed.length === 0) return []
  const tests = idsOf(failing)
  const failuresUnder = async (assumptions: Values) =>
    (await runner.run({ assumptions, tests, ...limits })).filter((result) => tests.has(result.id) && isFailure(result))
  const always = idsOf(await failuresUnder({}))
  const alone = { runner, base: {} }
  const found: Break[] = []
  const explained = new Set(always)
  for (const [key, value] of changed) {
    for (const result of await failuresUnder({ [key]: value })) {
      if (always.has(result.id)) continue
      explained.add(result.id)
      found.push(breakOf(alone, result, { [key]: value }))
    }
  }
  const together = failing.filter(({ id }) => !explained.has(id))
  return [...found, ...together.map((result) => breakOf(alone, result, Object.fromEntries(changed)))]
}
