/** Uses the dashboard of a mock server in a real browser, as a person would. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startChromium } from './chromium.ts'
import { checkAppearance, checkSlowServer, checkStoppedServer } from './dashboard/appearance.ts'
import { checkHostileNames, checkPolicy, checkToken } from './dashboard/security.ts'
import { checkAssumptions, checkControls, checkKeys, checkRequests } from './dashboard/usage.ts'

const checks = [
  checkKeys,
  checkRequests,
  checkAssumptions,
  checkControls,
  checkHostileNames,
  checkPolicy,
  checkToken,
  checkAppearance,
  checkStoppedServer,
  checkSlowServer,
]

await mkdir(join(import.meta.dirname, 'out'), { recursive: true })
const browser = await startChromium()
try {
  // At the same time: most of them wait until the page asks the server again.
  await Promise.all(checks.map((check) => check(browser)))
} finally {
  await browser.close()
}
