import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it } from 'vitest'
import { runHere } from './cli-process.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')
const dockerfile = readFileSync(join(root, 'packages/mock-server/Dockerfile'), 'utf8').replaceAll('\\\n', '')
const argumentsOf = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest = '']) => rest)
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>

describe('the Docker image', () => {
  it('starts a program that the package has', () => {
    const [command] = argumentsOf('ENTRYPOINT').map((list) => JSON.parse(list) as string[])

    expect(command).toEqual(['/app/node_modules/.bin/guild-ledger-mock'])
    expect(json('packages/mock-server/package.json')['bin']).toEqual({ 'guild-ledger-mock': './dist/cli.js' })
  })

  it('is built from files that exist', () => {
    expect(argumentsOf('COPY')).toEqual(['. .', '--from=build /app /app'])
    for (const name of ['sdk', 'mock-server'])
      expect(existsSync(join(root, 'packages', name, 'package.json'))).toBe(true)
    expect(json('package.json')).toMatchObject({ scripts: { build: 'pnpm -r build' } })
    expect(argumentsOf('USER')).toEqual(['node'])
  })

  it('listens on all addresses and on its exposed port, through variables that the program has', async () => {
    const [host = ''] = argumentsOf('ENV')
    const { out } = await runHere('--help')

    expect(host).toBe('GUILD_LEDGER_MOCK_HOST=0.0.0.0')
    expect(out).toMatch(/--host <ADDRESS> /)
    expect(out).toMatch(new RegExp(`--port <N> .* \\(default: ${argumentsOf('EXPOSE').join()}\\)`))
  })

  it('has a health check that fails once the server is closed', async () => {
    const [check = ''] = argumentsOf('HEALTHCHECK')
    const [, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[]
    const mock = createMockLedger({ transactions: 0 })
    const server = await startMockServer({ mock, routes: createAdmin(mock) })
    const env = { ...process.env, GUILD_LEDGER_MOCK_PORT: String(server.port) }

    await run(process.execPath, args, { env, timeout: 20_000 })
    await server.close()

    expect(mock.requests).toEqual([])
    await expect(run(process.execPath, args, { env, timeout: 20_000 })).rejects.toMatchObject({ code: 1 })
  })
})
