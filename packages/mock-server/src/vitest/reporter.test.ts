import { expect, it, onTestFinished, vi } from 'vitest'
import type { Vitest } from 'vitest/node'
import { ledgerCoverage, type CoverageThresholds } from './reporter.ts'

it.each([
  [{ asumptions: 60 }, 'Unknown threshold `asumptions`. Did you mean `assumptions`?'],
  [{ errors: 101 }, '`errors` must be a number from 0 to 100, got 101'],
  [{ endpoints: '60' }, '`endpoints` must be a number from 0 to 100, got a string of 2 characters'],
  [60, '`thresholds` must be an object such as { assumptions: 60 }, got 60'],
])('names a wrong threshold: %j', (thresholds, message) => {
  expect(() => ledgerCoverage(thresholds as CoverageThresholds)).toThrow(new TypeError(message))
})

it('names the projects whose mocks are not counted', () => {
  vi.stubEnv('GUILD_LEDGER_MOCK_COVERAGE', '') // restored after the test
  const printed: string[] = []
  const closing: (() => void)[] = []
  onTestFinished(() => closing.forEach((close) => close()))
  const projects = [true, false].map((enabled) => ({ name: `browser: ${enabled}`, config: { browser: { enabled } } }))
  const logger = { log: (text: string) => void printed.push(text) }
  const reporter = ledgerCoverage({ endpoints: 0 })

  reporter.onInit?.({ projects, logger, onClose: (close: () => void) => void closing.push(close) } as unknown as Vitest)
  void reporter.onTestRunEnd?.([], [], 'interrupted')
  void reporter.onTestRunEnd?.([], [], 'passed')

  expect(printed).toHaveLength(1)
  expect(printed[0]).toMatch(/\nNot counted, because it runs in a browser: project browser: true\n$/)
})
