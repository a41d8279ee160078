import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

const program = resolve(import.meta.dirname, '../../../../mock-server/dist/cli.js')

/** Starts a server outside of the workers, once for all runs: its values never change. */
export default async ({ provide }: TestProject) => {
  const flags = [program, '--port=0', '--json', '--rate-limit=off', '--exit-with-parent']
  const server = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  provide('outside' as never, JSON.parse(line.toString()) as never)
  return () => void server.kill()
}
