import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { start, startService, temporaryFolder } from './support.ts'

const transaction = createTransactionFactory()
const now = () => new Date().toISOString()

/** Starts a watch, and waits until it watches. */
const startWatch = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
  const { child, exited } = start(['watch', '--interval', '0.1', ...args], env)
  await once(child.stderr, 'data')
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  return {
    child,
    exited,
    out: () => out,
    async lines(count: number): Promise<string[]> {
      while (out.split('\n').length <= count) await sleep(10)
      return out.trim().split('\n')
    },
  }
}

it('prints new transactions, and continues after Ctrl+C with those that came meanwhile', async () => {
  const { guild, env } = await startService({ transactions: 3 })
  const folder = temporaryFolder()
  const args = ['--checkpoint', folder.file('checkpoint')]

  const first = await startWatch(args, env)
  expect(JSON.parse(folder.read('checkpoint'))).toMatchObject({ version: 1 })
  guild.add([transaction({ platformId: '8412', name: 'Axe', createdAt: now() })])
  expect(JSON.parse((await first.lines(1))[0] ?? '')).toMatchObject({ platformId: '8412', name: 'Axe' })
  first.child.kill('SIGHUP') // not of a terminal
  guild.add([transaction({ name: 'Cut \ud83d', createdAt: now() })])
  expect((await first.lines(2))[1]).toContain('"Cut \ufffd"')
  first.child.kill('SIGINT')
  expect(await first.exited).toEqual({ code: 130, signal: null })

  guild.add([transaction({ name: 'Shield', createdAt: now() })])
  const second = await startWatch(args, env)
  expect((await second.lines(1)).map((line) => JSON.parse(line) as unknown)).toMatchObject([{ name: 'Shield' }])
  second.child.kill('SIGTERM')
  expect(await second.exited).toEqual({ code: 5, signal: null })
})

it('prints text for people, without control characters, and ends when its reader leaves', async () => {
  const { guild, env } = await startService({ transactions: 0 })
  const watch = await startWatch(['--format', 'text', '--from', 'shop'], env)

  const fields = { platformId: '8412', source: 'shop', amount: 2.5, quantity: 2, total: 5 }
  guild.add([
    transaction({ source: 'quest', createdAt: now() }),
    transaction({ ...fields, name: 'A\u001B[31mxe\nnew', createdAt: '2026-01-31T10:00:00.000Z' }),
  ])
  const [line] = await watch.lines(1)
  expect(line).toBe('2026-01-31T10:00:00.000Z  8412  2 × A\\u{1b}[31mxe new  amount 2.5  total 5  shop')
  watch.child.stderr.destroy()
  watch.child.stdout.destroy()
  guild.add([transaction({ source: 'shop', createdAt: now() })])

  expect(await watch.exited).toEqual({ code: 5, signal: null })
})
