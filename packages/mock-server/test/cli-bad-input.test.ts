import { describe, expect, it } from 'vitest'
import { fileWith, ndjson, runHere, serveHere } from './cli-process.ts'

const secondLineBroken = () => ndjson.replace(/\n.*\n/, '\n{"platformId":"1"}\n')

describe('guild-ledger-mock with bad input', () => {
  it.each<[string, string[] | (() => string[]), RegExp]>([
    ['an unknown flag', ['--prot', '1'], /^unknown option '--prot' \(Did you mean --port\?\) See --help\.\n$/],
    ['a word', ['serve'], /^too many arguments\. Expected 0 arguments but got 1: serve\. See --help\.\n$/],
    ['a value that is missing', ['--port'], /^option '--port <N>' argument missing\./],
    ['transactions without users', ['--users', '0'], /^`--users` must be an integer ≥ 1/],
    ['a missing file', ['--data', '/no/such.ndjson'], /^--data \/no\/such\.ndjson: there is no such file/],
    ['an empty file', () => ['--setup', fileWith('')], /^--setup \S+: it is empty/],
    ['codes for a terminal', ['\u001b[2J\u202e'], /but got 1: \\u\{1b\}\[2J\\u\{202e\}\./],
    ['a directory', ['--data', '/'], /^--data \/: it is a folder, not a file/],
    [
      'a broken line',
      () => ['--data', fileWith(secondLineBroken())],
      /^--data \S+: line 2, column 1: `transactionId` must be/,
    ],
    [
      'an unknown assumption',
      ['--assume', 'pageUnits=group'],
      /^option '--assume <KEY=VALUE>' argument 'pageUnits=group' is invalid\. .* Did you mean `pageUnit`\?/,
    ],
    [
      'assumptions that are not JSON',
      () => ['--assumptions', fileWith('{')],
      /: line 1, column 2: the text ends within/,
    ],
    [
      'a wrong assumption in a file',
      () => ['--assumptions', fileWith('{"maxPage":0}')],
      /^--assumptions \S+: line 1, column 12: `maxPage` must be/,
    ],
    [
      'a set-up file with a mistake',
      () => ['--setup', fileWith('{"guilds":[{"user":1}]}')],
      /^--setup \S+: line 1, column 20: guilds\[0\]: Unknown field `user`\. Did you mean `users`\?/,
    ],
    [
      'a key no header can carry',
      ['--api-key', 'two words'],
      /^--api-key: .apiKey. must be printable ASCII without spaces/,
    ],
    [
      'a host of another machine',
      ['--host', '192.0.2.1'],
      /^Cannot listen on port 0 of 192\.0\.2\.1: .* no such address\./,
    ],
  ])('prints one line on stderr and exits with code 2: %s', async (_case, args, line) => {
    const { out, err, code } = await runHere('--port', '0', ...(typeof args === 'function' ? args() : args))

    expect(err).toMatch(/^guild-ledger-mock: [^\n]+\n$/)
    expect(err.replace('guild-ledger-mock: ', '')).toMatch(line)
    expect({ out, code }).toEqual({ out: '', code: 2 })
  })

  it('says that a port is taken before it reads data', async () => {
    const { ready } = await serveHere('--transactions', '1')
    const { port } = new URL(ready.url)

    const { err, code } = await runHere('--port', port, '--data', '/no/such.ndjson')

    expect({ err, code }).toEqual({
      err: `guild-ledger-mock: Cannot listen on port ${port} of 127.0.0.1: it is already in use; choose another, or 0 for a free one.\n`,
      code: 2,
    })
  })
})
