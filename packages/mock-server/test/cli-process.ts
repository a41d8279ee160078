import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createMockLedger } from '@guild-ledger/mock-server'
import { expect, onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../src/cli/run-command-line.ts'

export { listAll as list } from '@guild-ledger/test-kit'

const cli = join(import.meta.dirname, '../src/cli/main.ts')

const run = (...args: string[]) => {
  const child = spawn(process.execPath, ['--conditions=@guild-ledger/source', cli, ...args], {
    stdio: 'pipe',
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  })
  // It matters with --exit-with-parent only.
  if (!args.includes('--exit-with-parent')) child.stdin.end()
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs the command line until it exits. */
export const runToExit = async (...args: string[]) => {
  const child = run(...args)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number | null }
}

/** Runs the command line until the first `lines` lines are out. */
export const start = async (lines: number, ...args: string[]) => {
  const child = run(...args)
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    out += String(chunk)
    if (out.split('\n').length > lines) break
  }
  child.stdout.resume()
  return { child, out, errors: () => err }
}

const addressIn = (out: string) => {
  const ready = JSON.parse(out) as { url: string; apiKey: string; guildId: string }
  const get = async (target: string) => {
    const response = await fetch(ready.url + target, { headers: { 'x-api-key': ready.apiKey } })
    return { status: response.status, body: (await response.json()) as { pagination: { total: number } } }
  }
  return { ready, get }
}
const jsonOnFreePort = ['--port', '0', '--json']

/** Serves in a process, on a free port, with output as JSON. */
export const startJson = async (...args: string[]) => {
  const { child, out, errors } = await start(1, ...jsonOnFreePort, '--users', '1', '--transactions', '5', ...args)
  return { child, errors, ...addressIn(out) }
}

/** Runs the command line in this process. What it writes is in `written`. */
const startHere = (args: readonly string[], stop?: AbortController) => {
  const written = { out: '', err: '' }
  const output = {
    stdout: (part: string) => void (written.out += part),
    stderr: (part: string) => void (written.err += part),
  }
  return { written, ended: runCommandLine(args, process.env, output, stop) }
}

/** Runs the command line in this process until it ends. */
export const runHere = async (...args: string[]) => {
  const { written, ended } = startHere(args)
  const code = await ended
  return { ...written, code }
}

/** Serves in this process, on a free port, with output as JSON. */
export const serveHere = async (...args: string[]) => {
  const stop = new AbortController()
  const { written, ended } = startHere([...jsonOnFreePort, ...args], stop)
  onTestFinished(async () => {
    stop.abort()
    expect(await ended).toBe(0)
  })
  await vi.waitFor(() => expect(written.out).toContain('\n'), { timeout: 10_000 })
  return addressIn(written.out)
}

/** A folder that is removed after the test. */
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'guild-ledger-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** A file that is removed after the test. */
export const fileWith = (content: string | Uint8Array): string => {
  const file = join(folder(), 'file')
  writeFileSync(file, content)
  return file
}
export const transactions = createMockLedger({ transactions: 3 }).guild.transactions
export const ndjson = transactions.map((transaction) => `${JSON.stringify(transaction)}\n`).join('')
