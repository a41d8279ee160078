import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is removed with its scope. */
export const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-example-'))
  return {
    path: (name: string) => join(folder, name),
    files: async () => (await readdir(folder)).toSorted(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
