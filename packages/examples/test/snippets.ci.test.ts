import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { glob } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it } from 'vitest'
import { isTest, snippetsIn } from '../../../scripts/snippets.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')
// Inside this package, so that imports in snippets resolve as in a user's project.
const folder = resolve(import.meta.dirname, '../out/snippets')

const documents = await Array.fromAsync(glob(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root }))
const snippets = (
  await Promise.all(
    documents.toSorted().map(async (document) => {
      const text = await readFile(join(root, document), 'utf8')
      return snippetsIn(text).map((code, nth) => {
        const name = `${document.replaceAll('/', '-').replace('.md', '')}-${nth + 1}`
        return {
          title: `${document}, snippet ${nth + 1}`,
          code,
          file: join(folder, `${name}.ts`),
          isTest: isTest(code),
          // Shows the message of a failing test; `runtimes/clean-install.ts` runs it.
          fails: /\/\/ fails$/m.test(code),
        }
      })
    }),
  )
).flat()

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await Promise.all(snippets.map(({ file, code }) => writeFile(file, `${code}\nexport {}\n`)))
await writeFile(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../../../tsconfig.base.json',
    compilerOptions: {
      lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
      noEmit: true,
      composite: false,
      // Checks again only what has changed since the last run, or depends on it.
      incremental: true,
      tsBuildInfoFile: join(root, 'node_modules/.cache/markdown.tsbuildinfo'),
      emitDeclarationOnly: false,
      declaration: false,
      customConditions: ['@guild-ledger/source'],
    },
  }),
)

const programs = snippets.filter((snippet) => !snippet.isTest)

/** Runs programs one after another in one process, and returns what each of them wrote with `process.stderr`. */
const runPrograms = async (files: readonly string[]): Promise<Record<string, string>> => {
  await using servers = new AsyncDisposableStack()
  const runs = await Promise.all(
    files.map(async (file) => {
      const mock = createMockLedger({ transactions: 150 })
      const { url } = servers.use(await startMockServer({ mock, port: 0 }))
      return { file, env: { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: url } }
    }),
  )
  const program = join(import.meta.dirname, 'support/run-snippets.ts')
  const args = ['--conditions=@guild-ledger/source', program, JSON.stringify(runs)]
  const { stdout, stderr } = await run(process.execPath, args, { maxBuffer: 2 ** 24 })
  expect(stderr).toBe('')
  return JSON.parse(stdout.split('\n').at(-2) ?? '') as Record<string, string>
}

let running: ReturnType<typeof runPrograms>[] | undefined
const errorsOf = async (file: string): Promise<string | undefined> => {
  // In two processes, because some programs wait for their throttle.
  running ??= [0, 1].map((half) => runPrograms(programs.filter((_, i) => i % 2 === half).map((one) => one.file)))
  return Object.assign({}, ...(await Promise.all(running)))[file]
}

describe('TypeScript snippets in the documentation', () => {
  it('snippets are found in README.md', () => {
    expect(snippets.map(({ title }) => title)).toContain('README.md, snippet 1')
  })

  it.concurrent('every snippet compiles', { timeout: 240_000 }, async () => {
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  it.concurrent.each(programs)('$title runs without an error', { timeout: 240_000 }, async ({ file }) => {
    expect(await errorsOf(file)).toBe('')
  })
})

// Fixtures of a file cannot be defined inside of `describe`, where the snippets are imported.
await import('@guild-ledger/mock-server/vitest')

// Snippets with tests become tests of this file.
for (const { title, file } of snippets.filter((snippet) => snippet.isTest && !snippet.fails)) {
  describe(title, async () => {
    await import(file)
  })
}
