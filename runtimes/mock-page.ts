/** Uses the page of a served mock in a real browser as a person would, and prints what held. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startChromium } from './chromium.ts'
import { endIsTold, looksRight } from './mock-page/looks.ts'
import { hostileNamesAreText, policyIsInForce, tokenIsAskedFor } from './mock-page/safety.ts'
import { aKeyComesAndGoes, assumptionsCanBeChanged, requestsComeByThemselves } from './mock-page/use.ts'

const checks = [
  aKeyComesAndGoes,
  requestsComeByThemselves,
  assumptionsCanBeChanged,
  hostileNamesAreText,
  policyIsInForce,
  tokenIsAskedFor,
  looksRight,
  endIsTold,
]

await mkdir(join(import.meta.dirname, 'out'), { recursive: true })
const browser = await startChromium()
try {
  for (const check of checks) await check(browser)
} finally {
  await browser.close()
}
