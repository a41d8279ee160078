import { EventEmitter } from 'node:events'
import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { outliveReaders, parseWith } from './command-line.ts'

afterEach(() => void vi.unstubAllGlobals())

const parseOn = (node: string, oldest?: string) => {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, node } })
  return parseWith(new Command('guild-ledger'), [], (sentence) => new TypeError(sentence), oldest)
}

const tooOld: [string, string?][] = [['20.20.2'], ['22.9.0'], ['22.12.0'], ['22.17.1', '22.18']]
it.each(tooOld)('does not run on Node %s', (node, oldest) => {
  expect(() => parseOn(node, oldest)).toThrow(`Node ${oldest ?? '22.13'} or later is needed, got ${node}: update Node.`)
})

it.each(['22.13.0', '22.18.0', '24.0.0', '100.1.0'])('runs on Node %s', (node) => {
  expect(parseOn(node)).toBe(true)
})

it('goes on where a reader has left or messages are lost, but not where its output is lost', () => {
  const [stdout, exit, write] = [new EventEmitter(), vi.fn(), vi.fn((_text: string, done: () => void) => done())]
  const stderr = Object.assign(new EventEmitter(), { write })
  vi.stubGlobal('process', { ...process, stdout, stderr, exit })
  outliveReaders()

  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  stderr.emit('error', new Error('write ENOSPC'))
  stdout.emit('error', new Error('write EIO'))
  expect([write.mock.calls.map(([text]) => text), exit.mock.calls]).toEqual([['standard output: write EIO\n'], [[1]]])
})
