import { sendJson, startTestServer } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { send, startGateway } from './gateway-support.ts'
import { inOneForm, ledgerOf, nodeArguments, parseLines, runProgram, startService, temporaryFolder } from './support.ts'

it('hands on what the service sends, byte for byte, with the key added and nowhere shown', async () => {
  const { mock, guild, env, url: service } = await startService({ users: 2, transactions: 20, rateLimit: 'off' })
  const gateway = await startGateway(env)
  const { platformId = '' } = guild.transactions[0] ?? {}
  guild.fault({
    kind: 'status',
    status: 402,
    query: { from: 'tea' },
    body: '{ "success": false,  "message":  "ünusual" }',
  })
  guild.fault({ kind: 'malformed-json', query: { from: 'cut' } })
  const targets = [
    '/guild/ledger/transactions?limit=3&sortBy=name&sortOrder=asc',
    `/guild/ledger/${platformId}/transactions?limit=2`,
    '/guild/ledger/nobody/transactions',
    '/guild/ledger/transactions?limit=0',
    '/guild/ledger/transactions?from=a&from=b&platformId=%C3%BC%20x',
    '/guild/ledger/transactions?from=tea',
    '/guild/ledger/transactions?from=cut',
    '/guild/discharges',
  ]
  for (const target of targets) {
    const direct = await send(service + target, { 'x-api-key': mock.apiKey })
    const through = await send(gateway.url + target)
    const ofInterest = ({ status, headers, body }: typeof direct) => [target, status, headers['content-type'], body]
    expect(ofInterest(through)).toEqual(ofInterest(direct))
  }
  guild.fault({ kind: 'internal-error', times: 1 })
  expect((await send(`${gateway.url}/guild/ledger/transactions`)).status).toBe(200)
  expect(await send(`${gateway.url}/health`, {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  const metrics = await send(`${gateway.url}/metrics`)
  expect(JSON.stringify([metrics, gateway.errors()])).not.toContain(mock.apiKey)
  expect(metrics.body).toMatch(/^guild_ledger_requests_total\{status="402"\} 1$/m)
  expect(metrics.body).toMatch(/^guild_ledger_queue_seconds_count [1-9]/m)
  expect(metrics.body).toMatch(/^guild_ledger_rate_limited_total 0$/m)
})

it('takes the key out of a response that repeats it, and headers that would let web pages in', async () => {
  const empty = { success: false, message: 'No transactions found for this guild' }
  await using service = await startTestServer(({ headers, url }, response) => {
    const key = String(headers['x-api-key'])
    const headersOfService = { 'x-echo': key, 'set-cookie': 'a=1', 'access-control-allow-origin': '*' }
    sendJson(response, url === '/guild/echo' ? { keys: [key, key] } : empty, 404, headersOfService)
  })
  const gateway = await startGateway({ GUILD_LEDGER_API_KEY: 'secret-key-1', GUILD_LEDGER_BASE_URL: service.url })

  const { headers, body } = await send(`${gateway.url}/guild/echo`)

  expect([headers['x-echo'], body]).toEqual(['[redacted]', '{"keys":["[redacted]","[redacted]"]}'])
  expect([headers['set-cookie'], headers['access-control-allow-origin']]).toEqual([undefined, undefined])
})

it('streams every transaction, and says in the last line how it ended', async () => {
  const { mock, guild, env } = await startService({ users: 5, transactions: 250 })
  const gateway = await startGateway(env)

  const { headers, body } = await send(`${gateway.url}/transactions`)
  expect(headers['x-accel-buffering']).toBe('no') // nginx would keep a feed to itself
  const all = parseLines(body)
  expect(all.pop()).toEqual({ ended: 'complete', rows: 250 })
  expect(all.map(inOneForm).toSorted()).toEqual(ledgerOf(mock))

  guild.add([{ source: 'event', name: 'Cut \ud83d' }])
  expect((await send(`${gateway.url}/transactions?from=event`)).body).toContain('"Cut \ufffd"')

  expect(await send(`${gateway.url}//transactions?form=shop`)).toMatchObject({
    status: 400,
    body: '{"success":false,"message":"Unknown parameter `form`. Did you mean `from`?"}',
  })
  expect(await send(`${gateway.url}/transactions?from=shop&from=quest`)).toMatchObject({
    status: 400,
    body: '{"success":false,"message":"`from` was sent more than once"}',
  })
  guild.fault({ kind: 'status', status: 401, query: { page: '3' } })
  const cut = parseLines((await send(`${gateway.url}/transactions?limit=10`)).body)
  expect(cut).toHaveLength(21)
  expect(cut.at(-1)).toMatchObject({ ended: 'error', code: 'unauthorized' })
})

it('ends with a sentence where its state cannot be written any more', async () => {
  const many = Array.from({ length: 30 }, () => ({ name: 'new' }))
  const { env } = await startService({ rateLimit: 'off' }, ({ guild }) => guild.add(many))
  const run = [process.execPath, ...nodeArguments, 'gateway', '--port=0', '--interval=0.1', '--state']
  // A limit on the size of files stands for a full disk.
  const line = `trap '' XFSZ; ulimit -f 100; NODE_COMPILE_CACHE= "$@" 2>&1; echo $?`
  const out = await runProgram('bash', ['-c', line, 'bash', ...run, temporaryFolder().path], env)

  expect(out).toMatch(/\nguild-ledger: --state \S+ cannot be written: .+ \(ERR_SQLITE_ERROR\)\n1\n$/)
})
