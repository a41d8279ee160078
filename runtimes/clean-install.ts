/**
 * Follows the README in an empty folder with an empty npm cache: runs its commands, saves its files, and expects the
 * output it shows. The packages are packed from this checkout and served by a local registry, so that `npm install` works
 * as it is written. Only the port is replaced.
 *
 * - `sh` blocks are run. A command with `--port` is a server that runs until the end.
 * - `ts` blocks are saved under the name in their first line.
 * - `text` blocks are the output of the command before, which may fail only if the output is an error.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { startRegistry } from './registry.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const say = (line: string) => process.stdout.write(`${line}\n`)

interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced blocks of the given sections, in order. */
const blocksOf = async (document: string, sections: readonly string[]): Promise<Block[]> => {
  const parts = (await readFile(join(root, document), 'utf8')).split(/^(?=##? )/m)
  return sections.flatMap((heading) => {
    const part = parts.find((text) => text.startsWith(`${heading}\n`))
    if (part === undefined) throw new Error(`${document} has no section "${heading}"`)
    return [...part.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', text = '']) => ({ language, text }))
  })
}

/** Removes what differs between runs and reporters: times, indentation and empty lines. */
const normalize = (text: string): string =>
  text
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

/** A shell in a folder. */
const openShell = async (cwd: string, settings: Readonly<Record<string, string>>) => {
  const port = String(await freePort())
  const servers: ChildProcess[] = []
  const { CI: _ci, ...inherited } = process.env
  const env = { ...inherited, ...settings, NO_COLOR: '1' }
  let printed = ''

  const serve = async (command: string): Promise<void> => {
    // In its own process group, so that processes started by npx or pnpm end with it.
    const server = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    servers.push(server)
    for await (const chunk of server.stdout) if (String(chunk).includes('listening on')) return
    throw new Error(`${command} ended before it was ready`)
  }
  const runCommand = async (command: string, mayFail: boolean): Promise<void> => {
    if (command.includes('--port ')) return serve(command)
    const timeout = 240_000
    printed = await run('sh', ['-c', command], { cwd, env, timeout }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { code?: number; stdout: string; stderr: string }) => {
        if (!mayFail || typeof error.code !== 'number') throw new Error(`${command}\n${error.stdout}${error.stderr}`)
        return error.stdout + error.stderr
      },
    )
  }
  return {
    async follow(blocks: readonly Block[]): Promise<void> {
      for (const [i, { language, text }] of blocks.entries()) {
        const block = text.replaceAll('4010', port)
        const next = blocks[i + 1]
        if (language === 'sh') await runCommand(block, next?.language === 'text' && /^\w*Error: /m.test(next.text))
        else if (language === 'text') {
          if (!normalize(printed).includes(normalize(block))) throw new Error(`expected\n${block}\ngot\n${printed}`)
        } else {
          const [, name] = /^\/\/ (\S+)\n/.exec(text) ?? []
          if (name === undefined) throw new Error(`the first line of this block does not name a file:\n${text}`)
          await writeFile(join(cwd, name), block)
        }
        say(`  ${text.split('\n')[0]}${language === 'text' ? ' …' : ''}`)
      }
    },
    close: () => {
      for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    },
  }
}

/** Follows a README in an empty folder, with the packages of this project from a local registry. */
const inAnEmptyFolder = async (document: string, ...sections: string[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-clean-install-'))
  const registry = await startRegistry(join(root, 'packages'), ['sdk', 'mock-server'])
  const node24 = join(import.meta.dirname, 'node_modules/node-24/bin')
  const shell = await openShell(folder, {
    PATH: [node24, process.env.PATH ?? ''].join(delimiter),
    npm_config_cache: join(folder, '.npm'),
  })
  try {
    say(`${document}, in an empty folder:`)
    await writeFile(join(folder, '.npmrc'), `@guild-ledger:registry=${registry.url}\n`)
    await shell.follow(await blocksOf(document, sections))
    // The Python example finds the installed mock server by itself.
    await shell.follow([{ language: 'sh', text: `python3 '${join(root, 'packages/examples/src/spending_test.py')}'` }])
  } finally {
    shell.close()
    registry.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Follows a README in this checkout. */
const inTheCheckout = async (document: string, ...sections: string[]): Promise<void> => {
  const shell = await openShell(root, {})
  try {
    say(`${document}, in this checkout:`)
    await shell.follow(await blocksOf(document, sections))
  } finally {
    shell.close()
  }
}

await inAnEmptyFolder('README.md', '## Installation', '## Quick start', '## Testing', '## Unspecified behaviour')
await inTheCheckout('packages/examples/README.md', '## Running an example')
