import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { listAll as list } from '@guild-ledger/test-kit'

const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  return { below, pick }
}
type Random = ReturnType<typeof randomFrom>

const noise = ({ below }: Random, length: number) =>
  String.fromCharCode(...Array.from({ length: below(length) }, () => below(256)))
const words = ({ pick, below }: Random, length: number) =>
  Array.from({ length: below(length) }, () =>
    pick(['a', '%', '%2e', '%00', '/', '..', '%C3', '&', '=', '+', 'ü', '9', '-']),
  ).join('')

const methods = 'GET|GET|GET|GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|PROPFIND|get|G T|'.split('|')
const names =
  'page limit platformId from minAmount maxAmount startDate endDate sortBy sortOrder __proto__ constructor'.split(' ')
const values = [
  ...'0,1,-1,100,101,1e9,1e999,NaN,0x10,١,amount,name,desc,null,[],{},, ,%,%ff,%F0%9F%92%A9'.split(','),
  ...'2026-01-01,2026-01-01T00:00:00Z,275760-09-13,+0000-01-01'.split(','),
  '9'.repeat(400),
]

const queryOf = (random: Random) => {
  const pairs = Array.from(
    { length: random.below(6) },
    () => `${random.pick(names)}=${random.below(5) ? random.pick(values) : words(random, 6)}`,
  )
  return pairs.length > 0 ? `?${pairs.join(random.pick(['&', '&', '&&', ';', '#']))}` : ''
}
const pathOf = (random: Random) => {
  return random.pick<() => string>([
    () => list,
    () => list,
    () => list,
    () => `/guild/ledger/${words(random, 5)}/transactions`,
    () => `/guild/ledger/${encodeURIComponent(noise(random, 8))}/transactions`,
    () => `http://a.test${list}`,
    () => `//${words(random, 8)}`,
    () => `/${'x'.repeat(random.below(12_000))}`,
    () => words(random, 10),
    () => '*',
  ])()
}
const headersOf = (random: Random, apiKey: string) => {
  const { pick, below } = random
  const each = () =>
    pick<() => string>([
      () => `accept-encoding: ${pick(['gzip', '*', 'gzip;q=', ';;,', 'br;q=1, gzip;q=0.1'])}`,
      () => `x-api-key: ${noise(random, 20).replaceAll(/[\r\n]/g, '')}`,
      () => `content-length: ${pick(['0', '5', '-1', 'x', '99999999999999999999'])}`,
      () => `transfer-encoding: ${pick(['chunked', 'gzip', 'chunked, chunked'])}`,
      () => `expect: ${pick(['100-continue', 'wonders'])}`,
      () => `connection: ${pick(['close', 'keep-alive', 'upgrade\r\nupgrade: websocket', 'x-api-key'])}`,
      () => `range: bytes=0-${below(9)}`,
      () => `origin: ${pick(['null', 'https://evil.test'])}`,
      () => `x-${below(9)}: ${'y'.repeat(below(3) ? 5 : below(40_000))}`,
      () => noise(random, 12),
    ])()
  return [
    below(9) ? 'host: 127.0.0.1' : '',
    `x-api-key: ${apiKey}`,
    ...Array.from({ length: below(3) ? 0 : 1 + below(2) }, each),
  ]
    .filter(Boolean)
    .join('\r\n')
}

const requestOf = (random: Random, apiKey: string): string => {
  if (random.below(40) === 0) return noise(random, 400)
  const version = random.below(12) ? 'HTTP/1.1' : random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''])
  const head = `${random.below(3) ? 'GET' : random.pick(methods)} ${pathOf(random)}${queryOf(random)} ${version}\r\n${headersOf(random, apiKey)}\r\n\r\n`
  const body = random.below(8)
    ? ''
    : random.pick(['{', '{}', '[]', 'null', '5\r\nabcde\r\n0\r\n\r\n', noise(random, 50)])
  return head + body
}

/** Statuses of the mock and of HTTP itself. Nothing here makes the service fail internally, so 500 is not among them. */
const allowed = new Set('100 200 201 204 400 401 403 404 405 408 409 413 414 415 417 429 431'.split(' '))
const leak = /node:internal|\bat \S+ \(|\.[jt]s:\d+|node_modules|TypeError|ReferenceError/

const timeoutMs = 10_000

/** Sends requests over one connection; most end their side afterwards, some disconnect instead. */
const converse = async (port: number, sent: string, leaves: boolean): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('time-out')))
  if (!leaves) {
    socket.end(sent, 'latin1')
    return text(socket).catch(({ code, message }: NodeJS.ErrnoException) => (code ? '' : `no response: ${message}`))
  }
  socket.on('error', () => {})
  socket.write(sent.slice(0, sent.length / 2), 'latin1', () => socket.destroy())
  await once(socket, 'close')
  return ''
}

/**
 * Sends requests of all kinds over raw sockets, sixteen connections at a time. Resolves with how many it sent, complete or
 * not, how many responses had which status, and the first twenty of what no server should do, with what made it do so.
 */
export const fuzz = async (options: { port: number; apiKey: string; requests: number; seed: number }) => {
  const random = randomFrom(options.seed)
  const statuses: Record<string, number> = {}
  const findings: string[] = []
  let sent = 0
  const connection = async () => {
    const batch = Array.from({ length: 1 + random.below(4) }, () => requestOf(random, options.apiKey))
    sent += batch.length
    const written = batch.join('')
    const response = await converse(options.port, written, random.below(10) === 0)
    const found = [...response.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
    for (const status of found) statuses[status] = (statuses[status] ?? 0) + 1
    const bad =
      found.find((status) => !allowed.has(status)) ?? leak.exec(response)?.[0] ?? /^no response.*/.exec(response)?.[0]
    if (bad !== undefined && findings.length < 20) findings.push(`${bad} for ${JSON.stringify(written.slice(0, 300))}`)
  }
  const lane = async () => {
    while (sent < options.requests) await connection()
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return { sent, statuses, findings }
}
