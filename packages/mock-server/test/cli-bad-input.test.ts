import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it, vi } from 'vitest'
import { fileWith, ndjson, outcome } from './cli-process.ts'

// Each test starts a process; on a busy machine that alone may take seconds.
vi.setConfig({ testTimeout: 30_000 })

const secondLineBroken = () => ndjson.replace(/\n.*\n/, '\n{"platformId":"1"}\n')

describe('bad input', () => {
  it.each<[string, string[] | (() => string[]), RegExp]>([
    ['an unknown flag', ['--prot', '1'], /^Unknown option --prot: did you mean --port\?/],
    ['a word', ['serve'], /^"serve" is not an option/],
    ['a value that is missing', ['--port'], /^--port needs a value/],
    ['a value too many', ['--json=1'], /^--json takes no value, but was given "1"\./],
    ['a port that is none', ['--port', 'http'], /^--port must be a whole number from 0 to 65535, not "http"\./],
    ['a port too high', ['--port', '65536'], /^--port must be a whole number from 0 to 65535, not "65536"\./],
    [
      'a host that is not here',
      ['--host', '192.0.2.1'],
      /^Cannot listen on port 4010 of 192\.0\.2\.1: .* no such address\./,
    ],
    ['a host that is none', ['--host', 'two words'], /^Cannot listen on port 4010 of two words: /],
    ['a negative seed', ['--seed', '-1'], /^--seed must be a whole number of at least 0, not "-1"\./],
    [
      'a limit of none',
      ['--rate-limit', '0'],
      /^--rate-limit must be a whole number of requests a second from 1 to 1000000, or off for no limit, not "0"\./,
    ],
    ['a limit that is no number', ['--rate-limit', 'ten'], /^--rate-limit must be .* from 1 to 1000000, or off/],
    ['transactions of nobody', ['--users', '0'], /^--users must be at least 1/],
    [
      'a file that is not there',
      ['--data', '/no/such.ndjson'],
      /^--data \/no\/such\.ndjson cannot be read: there is no such file\./,
    ],
    ['a folder', ['--data', '/'], /^--data \/ cannot be read: it is a folder\./],
    ['a broken line', () => ['--data', fileWith(secondLineBroken())], /^--data \S+: line 2: transactionId must be/],
    ['a line twice', () => ['--data', fileWith(ndjson + ndjson)], /^--data \S+: line 4: .* is that of line 1\n/],
    ['rows twice over', ['--data', 'x', '--seed', '1'], /^--data brings its own rows/],
    ['an unknown assumption', ['--assume', 'pageUnits=group'], /^--assume pageUnits=group: .* did you mean pageUnit\?/],
    ['a wrong reading', ['--assume', 'pageUnit=user'], /^--assume pageUnit=user: .* must be one of transaction, group/],
    ['assumptions that are no JSON', () => ['--assumptions', fileWith('{')], /^--assumptions \S+: it is not JSON\./],
    ['assumptions that are a list', () => ['--assumptions', fileWith('[]')], /^--assumptions \S+: assumptions must be/],
    [
      'a wrong assumption in a file',
      () => ['--assumptions', fileWith('{"maxPage":0}')],
      /^--assumptions \S+: .*maxPage/,
    ],
    ['a key no header can carry', ['--api-key', 'two words'], /^--api-key: The value of a key must be printable ASCII/],
  ])('%s: one line on stderr, exit code 2', async (_what, args, line) => {
    const { out, err, code } = await outcome(...(typeof args === 'function' ? args() : args))

    expect(err).toMatch(/^guild-ledger-mock: [^\n]+\n$/)
    expect(err.replace('guild-ledger-mock: ', '')).toMatch(line)
    expect({ out, code }).toEqual({ out: '', code: 2 })
  })

  it('names the port that is taken', async () => {
    await using server = await startMockServer({ mock: createMockLedger({ transactions: 0 }) })

    const { err, code } = await outcome('--port', String(server.port))

    expect(err).toBe(
      `guild-ledger-mock: Cannot listen on port ${server.port} of 127.0.0.1: it is already in use; choose another, or 0 for a free one.\n`,
    )
    expect(code).toBe(2)
  })
})
