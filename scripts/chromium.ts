/** How checks start the Chromium of this machine. npm ships none that would come with its libraries. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** CHROMIUM_PATH, or one on the PATH. */
export const findChromium = (): string => {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
  if (found) return found
  throw new Error('Chromium is missing: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH')
}

/** No sandbox, as in most containers, and no calls home. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]
