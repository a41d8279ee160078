import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a folder for the files of one sweep. If the process exits before `remove`, the folder is removed too, after a
 * call of `onExit` with its path.
 */
export const createTemporaryFolder = (
  onExit: (path: string) => void = () => {},
): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'guild-ledger-sweep-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  const exited = () => {
    onExit(path)
    remove()
  }
  process.once('exit', exited)
  return {
    path,
    remove() {
      process.off('exit', exited)
      remove()
    },
  }
}
