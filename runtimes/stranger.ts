/**
 * A stranger with the README alone: takes its commands and files in order, in an empty folder, with an empty cache of
 * npm, and expects what the README says will be printed. The packages are those packed from this checkout, offered by a
 * registry of their own, so that `npm install` is typed as it is written. One thing is changed: the port.
 *
 * - `sh`: typed in. One with `--port` is a server, and runs until the end.
 * - `ts`: saved under the name in its first line.
 * - `text`: what the command before must have printed; that command may fail only if an error is what it prints.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startRegistry } from './registry.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const say = (line: string) => process.stdout.write(`${line}\n`)

interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced blocks of some sections, in order. */
const blocksOf = async (document: string, sections: readonly string[]): Promise<Block[]> => {
  const parts = (await readFile(join(root, document), 'utf8')).split(/^(?=##? )/m)
  return sections.flatMap((heading) => {
    const part = parts.find((text) => text.startsWith(`${heading}\n`))
    if (part === undefined) throw new Error(`${document} has no section "${heading}"`)
    return [...part.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language = '', text = '']) => ({ language, text }))
  })
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** Times differ from run to run, and the indentation of an error from reporter to reporter. */
const essence = (text: string): string =>
  text
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

/** A terminal in a folder. */
const openTerminal = async (cwd: string, settings: Readonly<Record<string, string>>) => {
  const port = String(await freePort())
  const servers: ChildProcess[] = []
  const { CI: _ci, ...inherited } = process.env
  const env = { ...inherited, ...settings, NO_COLOR: '1' }
  let printed = ''

  const serve = async (command: string): Promise<void> => {
    // A process group of its own: what npx or pnpm start ends with them.
    const server = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    servers.push(server)
    for await (const chunk of server.stdout) if (String(chunk).includes('listening on')) return
    throw new Error(`${command} ended before it was ready`)
  }
  const type = async (command: string, mayFail: boolean): Promise<void> => {
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
        const here = text.replaceAll('4010', port)
        const next = blocks[i + 1]
        if (language === 'sh') await type(here, next?.language === 'text' && /^\w*Error: /m.test(next.text))
        else if (language === 'text') {
          if (!essence(printed).includes(essence(here))) throw new Error(`expected\n${here}\nbut it was\n${printed}`)
        } else {
          const [, name] = /^\/\/ (\S+)\n/.exec(text) ?? []
          if (name === undefined)
            throw new Error(`this block does not say in its first line where to save it:\n${text}`)
          await writeFile(join(cwd, name), here)
        }
        say(`  ${text.split('\n')[0]}${language === 'text' ? ' …' : ''}`)
      }
    },
    close: () => {
      for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    },
  }
}

/** Follows a README in an empty folder, where packages of this project come from a registry of its own. */
const inAnEmptyFolder = async (document: string, ...sections: string[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-stranger-'))
  const registry = await startRegistry(join(root, 'packages'), ['sdk', 'mock-server'])
  const node24 = join(import.meta.dirname, 'node_modules/node-24/bin')
  const terminal = await openTerminal(folder, {
    PATH: [node24, process.env.PATH ?? ''].join(delimiter),
    npm_config_cache: join(folder, '.npm'),
  })
  try {
    say(`${document}, in an empty folder:`)
    await writeFile(join(folder, '.npmrc'), `@guild-ledger:registry=${registry.url}\n`)
    await terminal.follow(await blocksOf(document, sections))
    // Where the mock is installed, the example in Python finds it by itself.
    await terminal.follow([
      { language: 'sh', text: `python3 '${join(root, 'packages/examples/src/spending_test.py')}'` },
    ])
  } finally {
    terminal.close()
    registry.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Follows a README in this checkout. */
const inTheCheckout = async (document: string, ...sections: string[]): Promise<void> => {
  const terminal = await openTerminal(root, {})
  try {
    say(`${document}, in this checkout:`)
    await terminal.follow(await blocksOf(document, sections))
  } finally {
    terminal.close()
  }
}

await inAnEmptyFolder('README.md', '## For a bot', '## For a test', '## When a test fails')
await inTheCheckout('packages/examples/README.md', '# Examples')
