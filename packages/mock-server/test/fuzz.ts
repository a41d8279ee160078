import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** What came of hostile requests. */
export interface Fuzzed {
  /** Requests sent, whole or not. */
  readonly sent: number
  /** How many replies had which status. */
  readonly statuses: Readonly<Record<string, number>>
  /** What no server should do, with what made it do so; the first twenty. */
  readonly findings: readonly string[]
}

/** Whom to trouble, how much, and with which dice. */
interface Aim {
  readonly port: number
  readonly apiKey: string
  readonly requests: number
  readonly seed: number
  /** Paths that are asked beside those of the service. */
  readonly paths?: readonly string[]
  /** Header that opens those paths. */
  readonly headers?: readonly string[]
}

const diceFrom = (seed: number) => {
  let state = seed >>> 0
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0]
  return { below, pick }
}
type Dice = ReturnType<typeof diceFrom>

const noise = ({ below }: Dice, length: number) =>
  String.fromCharCode(...Array.from({ length: below(length) }, () => below(256)))
const words = ({ pick, below }: Dice, length: number) =>
  Array.from({ length: below(length) }, () =>
    pick(['a', '%', '%2e', '%00', '/', '..', '%C3', '&', '=', '+', 'ü', '9', '-']),
  ).join('')

const methods = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'G T',
  '',
] as const
const names = [
  'page',
  'limit',
  'platformId',
  'from',
  'minAmount',
  'maxAmount',
  'startDate',
  'endDate',
  'sortBy',
  'sortOrder',
  '__proto__',
  'constructor',
] as const
const values = [
  '0',
  '1',
  '-1',
  '100',
  '101',
  '1e9',
  '1e999',
  'NaN',
  '0x10',
  '١',
  'amount',
  'name',
  'desc',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '275760-09-13',
  '+0000-01-01',
  '',
  ' ',
  '%',
  '%ff',
  '%F0%9F%92%A9',
  'null',
  '[]',
  '{}',
  '9'.repeat(400),
] as const

const queryOf = (dice: Dice) => {
  const pairs = Array.from(
    { length: dice.below(6) },
    () => `${dice.pick(names)}=${dice.below(5) ? dice.pick(values) : words(dice, 6)}`,
  )
  return pairs.length > 0 ? `?${pairs.join(dice.pick(['&', '&', '&&', ';', '#']))}` : ''
}
const pathOf = (dice: Dice, paths: readonly string[]) => {
  const list = '/guild/ledger/transactions'
  const own = paths[dice.below(paths.length)] ?? list
  return dice.pick<() => string>([
    () => list,
    () => own,
    () => own,
    () => `/guild/ledger/${words(dice, 5)}/transactions`,
    () => `/guild/ledger/${encodeURIComponent(noise(dice, 8))}/transactions`,
    () => `http://a.test${list}`,
    () => `//${words(dice, 8)}`,
    () => `/${'x'.repeat(dice.below(12_000))}`,
    () => words(dice, 10),
    () => '*',
  ])()
}
const headersOf = (dice: Dice, apiKey: string, own: readonly string[]) => {
  const { pick, below } = dice
  const each = () =>
    pick<() => string>([
      () => `accept-encoding: ${pick(['gzip', '*', 'gzip;q=', ';;,', 'br;q=1, gzip;q=0.1'])}`,
      () => `x-api-key: ${noise(dice, 20).replaceAll(/[\r\n]/g, '')}`,
      () => `content-length: ${pick(['0', '5', '-1', 'x', '99999999999999999999'])}`,
      () => `transfer-encoding: ${pick(['chunked', 'gzip', 'chunked, chunked'])}`,
      () => `expect: ${pick(['100-continue', 'wonders'])}`,
      () => `connection: ${pick(['close', 'keep-alive', 'upgrade\r\nupgrade: websocket', 'x-api-key'])}`,
      () => `range: bytes=0-${below(9)}`,
      () => `origin: ${pick(['null', 'https://evil.test'])}`,
      () => `x-${below(9)}: ${'y'.repeat(below(3) ? 5 : below(40_000))}`,
      () => noise(dice, 12),
    ])()
  return [
    below(9) ? 'host: 127.0.0.1' : '',
    `x-api-key: ${apiKey}`,
    ...own,
    ...Array.from({ length: below(3) ? 0 : 1 + below(2) }, each),
  ]
    .filter(Boolean)
    .join('\r\n')
}

const requestOf = (dice: Dice, { apiKey, paths = [], headers = [] }: Aim): string => {
  if (dice.below(40) === 0) return noise(dice, 400)
  const version = dice.below(12) ? 'HTTP/1.1' : dice.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''])
  const head = `${dice.below(3) ? 'GET' : dice.pick(methods)} ${pathOf(dice, paths)}${queryOf(dice)} ${version}\r\n${headersOf(dice, apiKey, headers)}\r\n\r\n`
  const body = dice.below(8) ? '' : dice.pick(['{', '{}', '[]', 'null', '5\r\nabcde\r\n0\r\n\r\n', noise(dice, 50)])
  return head + body
}

/** Ours to answer, or HTTP's own. Nothing here makes the service fail inside, so 500 is not among them. */
const allowed = new Set([
  '100',
  '200',
  '201',
  '204',
  '400',
  '401',
  '403',
  '404',
  '405',
  '408',
  '409',
  '413',
  '414',
  '415',
  '417',
  '429',
  '431',
])
const leak = /node:internal|\bat \S+ \(|\.[jt]s:\d+|node_modules|TypeError|ReferenceError/

const patienceMs = 10_000

/** Sends requests over one connection; most say that this was all, some go away instead. */
const converse = async (port: number, sent: string, leaves: boolean): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('silence')))
  if (!leaves) {
    socket.end(sent, 'latin1')
    return text(socket).catch(({ code, message }: NodeJS.ErrnoException) => (code ? '' : `no reply: ${message}`))
  }
  socket.on('error', () => {})
  socket.write(sent.slice(0, sent.length / 2), 'latin1', () => socket.destroy())
  await once(socket, 'close')
  return ''
}

/** Troubles a server with requests of all kinds over raw sockets, some at a time. */
export const fuzz = async (aim: Aim): Promise<Fuzzed> => {
  const dice = diceFrom(aim.seed)
  const statuses: Record<string, number> = {}
  const findings: string[] = []
  let sent = 0
  const connection = async () => {
    const batch = Array.from({ length: 1 + dice.below(4) }, () => requestOf(dice, aim))
    sent += batch.length
    const written = batch.join('')
    const reply = await converse(aim.port, written, dice.below(10) === 0)
    const found = [...reply.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
    for (const status of found) statuses[status] = (statuses[status] ?? 0) + 1
    const bad = found.find((status) => !allowed.has(status)) ?? leak.exec(reply)?.[0] ?? /^no reply.*/.exec(reply)?.[0]
    if (bad !== undefined && findings.length < 20) findings.push(`${bad} for ${JSON.stringify(written.slice(0, 300))}`)
  }
  const lane = async () => {
    while (sent < aim.requests) await connection()
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return { sent, statuses, findings }
}
