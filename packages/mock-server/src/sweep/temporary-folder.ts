import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the files of one sweep. */
export const createTemporaryFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'guild-ledger-sweep-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
