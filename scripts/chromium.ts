/** Finds the installed Chromium. No npm package contains one with the libraries it needs. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns `CHROMIUM_PATH`, or a Chromium on the `PATH`. */
export const findChromium = (): string => {
  // The first one has no windows: a tab takes a quarter of the processor time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
  if (found) return found
  throw new Error(
    'Chromium is missing: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH',
  )
}

/** No sandbox, because most containers forbid it, and no requests of its own. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]
