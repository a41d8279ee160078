// Jest and some pools of Vitest run each test file in a realm of its own, where Node's `fetch` and its errors are objects
// of another realm. Runs as a CommonJS file and as an ES module.

/** @returns {Promise<number>} a port at which nothing listens */
const closedPort = async () => {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address()
  await new Promise((closed) => server.close(closed))
  return port
}

// Too long for a resolver to look it up, so that the test needs no network.
const unknownHost = `${'a'.repeat(64)}.invalid`

const createLedger = async (options) => {
  const { GuildLedger } = await import('@guild-ledger/sdk')
  return new GuildLedger({
    apiKey: 'key',
    logLevel: 'off',
    retry: { baseDelayMs: 0 },
    ...options,
  })
}

const failureOf = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  )

test('errors of fetch come from another realm', async () => {
  const error = await failureOf(fetch(`https://${unknownHost}`))

  expect(error instanceof Error).toBe(false)
})

test('a refused connection has its reason, code and address', async () => {
  const port = await closedPort()
  const ledger = await createLedger({ baseUrl: `http://127.0.0.1:${port}` })

  const error = await failureOf(ledger.transactions.list())

  expect(error.code).toBe('connection')
  expect(error.attempts).toBe(3)
  expect(error.actor).toBe('nobody')
  expect(error.message).toContain(`ECONNREFUSED 127.0.0.1:${port}`)
  expect(error.cause).toBeDefined()
  expect(JSON.stringify(error)).toContain('ECONNREFUSED')
})

test('an unknown host is the mistake of the author, and tried once', async () => {
  const ledger = await createLedger({ baseUrl: `https://${unknownHost}` })

  const error = await failureOf(ledger.transactions.list())

  expect(error.code).toBe('connection')
  expect(error.message).toContain('the host is unknown')
  expect(error.actor).toBe('author')
  expect(JSON.stringify(error)).toContain('ENOTFOUND')
  expect(error.attempts).toBe(1)
})

test('a Date and an AbortSignal of this realm are accepted', async () => {
  const { createMockLedger } = await import('@guild-ledger/mock-server')
  const mock = createMockLedger({ transactions: 10 })
  const ledger = await createLedger(mock.clientOptions)
  const reason = new Error('stopped')

  const page = await ledger.transactions.list(
    { startDate: new Date(0) },
    { signal: new AbortController().signal },
  )
  const stopped = await failureOf(
    ledger.transactions.list({}, { signal: AbortSignal.abort(reason) }),
  )

  expect(page.pagination.total).toBe(10)
  expect(stopped).toBe(reason)
})
