import { EventEmitter } from 'node:events'
import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { outliveReaders, parseWith } from './command-line.ts'

afterEach(() => void vi.unstubAllGlobals())

const parseOn = (node: string, oldest?: string) => {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, node } })
  return parseWith(new Command('guild-ledger'), [], (sentence) => new TypeError(sentence), oldest)
}

it.each(['20.20.2', '22.9.0', '22.12.0'])('does not run on Node %s', (node) => {
  expect(() => parseOn(node)).toThrow(`Node 22.13 or later is needed, got ${node}: update Node.`)
})

it.each(['22.13.0', '22.18.0', '24.0.0', '100.1.0'])('runs on Node %s', (node) => {
  expect(parseOn(node)).toBe(true)
})

it('does not run on a Node that is too old for its package', () => {
  expect(() => parseOn('22.17.1', '22.18')).toThrow('Node 22.18 or later is needed, got 22.17.1: update Node.')
})

it('goes on where whoever read its output has left, but not where a disk is full', () => {
  const output = new EventEmitter()
  vi.stubGlobal('process', { ...process, stdout: output, stderr: output })
  outliveReaders()

  output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  expect(() => output.emit('error', new Error('write ENOSPC'))).toThrow('write ENOSPC')
})
