import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of one sweep, which is removed when the process exits, if not before. */
export const createTemporaryFolder = (onExit: (path: string) => void = () => {}) => {
  const path = mkdtempSync(join(tmpdir(), 'guild-ledger-sweep-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', () => {
    if (existsSync(path)) onExit(path)
    remove()
  })
  return { path, remove }
}
