/** Packs each published package as npm would get it, and lets publint and attw look at the tarball. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, args: string[], cwd = '.') => execFileSync(command, args, { cwd, stdio: 'inherit' })
const folder = mkdtempSync(join(tmpdir(), 'guild-ledger-pack-'))
try {
  for (const name of ['sdk', 'mock-server']) {
    run('pnpm', ['pack', '--pack-destination', folder], join('packages', name))
  }
  for (const tarball of readdirSync(folder).map((file) => join(folder, file))) {
    run('publint', ['--strict', tarball])
    run('attw', ['--profile', 'esm-only', tarball])
  }
} finally {
  rmSync(folder, { recursive: true })
}
