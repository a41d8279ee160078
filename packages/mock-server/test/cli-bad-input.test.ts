import { describe, expect, it } from 'vitest'
import { fileWith, ndjson, runHere, serveHere } from './cli-process.ts'

const broken = ndjson.replace(/\n.*\n/, '\n{"platformId":"1"}\n')
const unknown = '{"guilds":[{"user":1}]}'

describe('guild-ledger-mock with bad input', () => {
  it.each<[typed: string, line: RegExp, content?: string]>([
    ['--prot 1', /^unknown option '--prot' \(Did you mean --port\?\) See --help\.\n$/],
    ['serve', /^too many arguments\. Expected 0 arguments but got 1: serve\. See --help\.\n$/],
    ['--port', /^option '--port <N>' argument missing\./],
    ['--users 0', /^`--users` must be an integer ≥ 1/],
    ['--setup FILE', /^--setup \S+: it is empty/, ''],
    ['\u001b[2J\u202e', /but got 1: \\u\{1b\}\[2J\\u\{202e\}\./],
    ['--data FILE', /^--data \S+: line 2, column 1: `transactionId` must be/, broken],
    [
      '--assume pageUnits=group',
      /^option '--assume <KEY=VALUE>' argument 'pageUnits=group' .* Did you mean `pageUnit`\?/,
    ],
    ['--assumptions FILE', /: line 1, column 2: the text ends within/, '{'],
    ['--assumptions FILE', /^--assumptions \S+: line 1, column 12: `maxPage` must be/, '{"maxPage":0}'],
    [
      '--setup FILE',
      /^--setup \S+: line 1, column 20: guilds\[0\]: Unknown field `user`\. Did you mean `users`\?/,
      unknown,
    ],
    ['--api-key schl\u00fcssel', /^--api-key: .apiKey. must be printable ASCII without spaces/],
    ['--host 192.0.2.1', /^Cannot listen on port 0 of 192\.0\.2\.1: .* no such address\./],
  ])('prints one line on stderr and exits with code 2 for %j: %s', async (typed, line, content = '') => {
    const args = typed.split(' ').map((word) => (word === 'FILE' ? fileWith(content) : word))

    const { out, err, code } = await runHere('--port', '0', ...args)

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
