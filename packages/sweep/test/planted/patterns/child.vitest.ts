import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { askWith, defineBets, transactions } from './bets.ts'

const program = resolve(import.meta.dirname, '../../../../mock-server/dist/cli.js')
const flags = ['--port=0', '--json', '--rate-limit=off', '--exit-with-parent']
let ready = { url: '', apiKey: '' }
let server: ReturnType<typeof spawn> | undefined

beforeAll(async () => {
  server = spawn(process.execPath, [program, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout ?? process.stdin, 'data')) as [Buffer]
  ready = JSON.parse(line.toString()) as typeof ready
})
afterAll(() => void server?.kill())

const admin = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${ready.url}/_mock/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as { id: string; apiKey: string }
}

defineBets(it, 'child', async (own) => {
  const guild = await admin('guilds', { rateLimit: 'off', ...own })
  await admin(`guilds/${guild.id}/transactions`, transactions)
  return askWith(ready.url, guild.apiKey)
})
