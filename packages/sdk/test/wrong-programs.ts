import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createThrottle, GuildLedger } from '@guild-ledger/sdk'

const root = join(import.meta.dirname, '../../..')
const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
const header = `import { createThrottle, GuildLedger } from '@guild-ledger/sdk'
declare const ledger: GuildLedger
`
const flags =
  '--noEmit --pretty false --strict --skipLibCheck --module nodenext --target es2023 --allowImportingTsExtensions'
const libraries = 'es2023,esnext.disposable,dom,dom.iterable'

/** What the compiler says first of each program; undefined where it says nothing. */
export const compile = async (programs: readonly string[]): Promise<(string | undefined)[]> => {
  // Inside of the package, so that it finds itself by its own name.
  const folder = await mkdtemp(join(import.meta.dirname, '../node_modules/.wrong-programs-'))
  try {
    const file = join(folder, 'programs.mts')
    const lines = programs.map((program, i) => `export const program${i} = async () => { ${program} }`)
    await writeFile(file, header + lines.join('\n'))
    const conditions = ['--customConditions', '@guild-ledger/source', '--lib', libraries, '--types', 'node']
    const output = await new Promise<string>((resolve) => {
      const args = [tsc, ...flags.split(' '), ...conditions, '--ignoreConfig', file]
      execFile(process.execPath, args, { cwd: root }, (_, stdout) => resolve(stdout))
    })
    const found: (string | undefined)[] = programs.map(() => undefined)
    for (const [, line = '', message] of output.matchAll(
      /programs\.mts\((\d+),\d+\): error TS\d+: (.*(?:\n {2}.*)*)/g,
    )) {
      found[Number(line) - header.split('\n').length] ??= message?.replaceAll(/\s+/g, ' ')
    }
    return found
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Program = (ledger: GuildLedger, Client: typeof GuildLedger, create: typeof createThrottle) => Promise<unknown>
// For the programs of a table of ours only.
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Program

/** Runs a program, without its types. */
export const run = async (program: string, ledger: GuildLedger): Promise<unknown> =>
  new AsyncFunction('ledger', 'GuildLedger', 'createThrottle', program)(ledger, GuildLedger, createThrottle)
