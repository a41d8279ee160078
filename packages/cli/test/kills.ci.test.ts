// Starts commands that keep a position, kills them with -9 at random moments, and looks at what a user then has.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { cases, createRandom, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { inOneForm, ledgerOf, nodeArguments, readers, run, startService, temporaryFolder } from './support.ts'

const kills = cases(2, 2)
const timeout = 600_000
const transaction = createTransactionFactory()

/** A service, and `killed`, which starts the command line and kills it some time after a response. */
const startKilling = async () => {
  let responses = 0
  const service = await startService({ users: 6, transactions: 0, rateLimit: 'off' }, () => void responses++)
  const random = createRandom(testSeed())
  return {
    ...service,
    random,
    async killed(args: readonly string[], longestMs: number, output: 'pipe' | number = 'pipe'): Promise<void> {
      const before = responses
      const child = spawn(process.execPath, [...nodeArguments, ...args], {
        stdio: ['ignore', output, 'inherit'],
        env: { ...process.env, ...service.env },
      })
      const exited = once(child, 'exit')
      child.stdout?.resume()
      const hasResponse = () => responses > before
      while (!hasResponse() && child.exitCode === null) await sleep(2)
      await sleep(random() * longestMs)
      child.kill('SIGKILL')
      await exited
    },
  }
}

const dayMs = 24 * 60 * 60 * 1000
const begin = Date.now() - 300 * dayMs
/** Transactions of the day of that number. */
const day = (number: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    transaction({ platformId: `user-${i % 6}`, createdAt: new Date(begin + number * dayMs + i * 1000).toISOString() }),
  )

it.each(['ndjson', 'sqlite'])('an export to %s has every transaction once after kills', { timeout }, async (format) => {
  const { mock, guild, env, random, killed } = await startKilling()
  const folder = temporaryFolder()
  const args = ['export', '--format', format, '--out', folder.file('out'), '--state', folder.file('state')]
  guild.add(day(0, 1500))
  for (let i = 1; i <= kills; i++) {
    guild.add(day(i, 300))
    await killed(random() < 0.2 ? [...args, '--full'] : args, 600)
  }

  const { code, err } = await run([...args, '--receipt', folder.file('receipt')], env)

  expect([err, code]).toEqual([err, 0])
  const rows = (await readers[format]?.(folder.file('out'), folder.read('out'))) ?? []
  expect(rows.map(inOneForm).toSorted()).toEqual(ledgerOf(mock))
  expect(await run(['export', '--check', folder.file('receipt'), folder.file('out')], {})).toMatchObject({ code: 0 })
  const full = await run([...args, '--full'], env)
  expect([full.err, full.code]).toEqual([full.err, 0])
})

it('a Singer export loses nothing after kills, when the runner keeps the last state it got', { timeout }, async () => {
  const { mock, guild, env, random, killed } = await startKilling()
  const folder = temporaryFolder()
  const args = ['export', '--format', 'singer']
  const loaded = new Set<string>()
  let state: unknown
  /** Loads what came whole, as a target does that commits at each STATE. */
  const load = (text: string) => {
    for (const line of text.split('\n').slice(0, -1)) {
      const message = JSON.parse(line) as { type: string; record: object; value: unknown }
      if (message.type === 'RECORD') loaded.add(inOneForm(message.record))
      if (message.type === 'STATE') state = message.value
    }
  }
  const continued = () => {
    if (state === undefined) return args
    writeFileSync(folder.file('state'), JSON.stringify(state))
    return [...args, '--state', folder.file('state')]
  }
  guild.add(day(0, 1500))
  for (let i = 1; i <= kills; i++) {
    guild.add(day(i, 200 + Math.floor(random() * 100)))
    await killed(continued(), 600, openSync(folder.file(`out-${i}`), 'w'))
    load(folder.read(`out-${i}`))
  }

  const { out, code } = await run(continued(), env)
  load(out)

  expect(code).toBe(0)
  expect([...loaded].toSorted()).toEqual(ledgerOf(mock))
})

it('a watch loses no line after kills, and repeats at most one for each', { timeout }, async () => {
  const { guild, killed, random } = await startKilling()
  const folder = temporaryFolder()
  const output = openSync(folder.file('lines'), 'a')
  const args = ['watch', '--interval', '0.1', '--checkpoint', folder.file('checkpoint')]
  guild.add([transaction({ name: 'old', createdAt: new Date().toISOString() })])
  while (!existsSync(folder.file('checkpoint'))) await killed(args, 1000, output)
  const added: string[] = []
  const lines = () =>
    folder
      .read('lines')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => (JSON.parse(line) as { transactionId: string }).transactionId)
  for (let i = 0; i < kills; i++) {
    const fresh = Array.from({ length: Math.ceil(random() * 20) }, () =>
      transaction({ createdAt: new Date().toISOString() }),
    )
    guild.add(fresh)
    added.push(...fresh.map(({ transactionId }) => transactionId))
    await killed(args, 300, output)
  }
  let last = 0
  while (new Set(lines()).size < added.length && last++ < 50) await killed(args, 1000, output)

  expect(added.filter((id) => !lines().includes(id))).toEqual([])
  expect(lines().length - added.length).toBeLessThanOrEqual(kills + last)
  const repeated = lines().filter((id, i, all) => all.indexOf(id) < i && all[i - 1] !== id)
  expect(repeated).toEqual([])
})
