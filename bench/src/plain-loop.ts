/**
 * What a loop over pages reads of 1,230 transactions, as generic connectors have it, and what `iterate` reads.
 *
 *     pnpm --dir bench plain-loop
 */
import { createMockLedger, createTransactionFactory, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { alternativesTo, assume } from '@guild-ledger/mock-server/assumptions'
import { GuildLedger, type GuildPage } from '@guild-ledger/sdk'

type Fetch = typeof globalThis.fetch
type Read = (service: { apiKey: string; baseUrl: string; fetch: Fetch }) => AsyncIterable<{ transactionId: string }>

const loop: Read = async function* ({ apiKey, baseUrl, fetch }) {
  for (let page = 1, isLast = false; !isLast; page++) {
    const url = `${baseUrl}/guild/ledger/transactions?limit=100&page=${page}`
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const transactions = ((await response.json()) as GuildPage).data.flatMap((group) => group.transactions)
    yield* transactions
    isLast = transactions.length < 100
  }
}
const iterate: Read = (service) => new GuildLedger({ ...service, logLevel: 'off', retry: false }).transactions.iterate()

/** Reads a ledger of which a transaction is added or removed after each of the first twelve responses. */
const judge = async (read: Read, options: MockLedgerOptions, change?: 'add' | 'remove'): Promise<string> => {
  const mock = createMockLedger({ transactions: 1230, rateLimit: 'off', ...options })
  const newestFirst = mock.guild.transactions.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const ids = newestFirst.map(({ transactionId }) => transactionId)
  const transaction = createTransactionFactory({ after: mock.guild })
  let requests = 0
  const fetch: Fetch = async (url, init) => {
    const response = await mock.fetch(url, init)
    if (++requests <= 12 && change === 'add') mock.guild.add([transaction()])
    if (requests <= 12 && change === 'remove') mock.guild.remove(ids.splice(0, 1))
    return response
  }
  const times = new Map<string, number>()
  let end = ''
  try {
    for await (const { transactionId: id } of read({ apiKey: mock.apiKey, baseUrl: mock.origin, fetch }))
      times.set(id, (times.get(id) ?? 0) + 1)
  } catch (error) {
    end = `, then ${String(error)}`
  }
  const twice = [...times.values()].filter((count) => count > 1).length
  return `${twice} twice, ${ids.filter((id) => !times.has(id)).length} missing${end}`
}
const conditions = [
  ['at most 50 per page', { assumptions: { maxLimit: 50 } }],
  ['one is added after each page', {}, 'add'],
  ['the newest is removed after each page', {}, 'remove'],
  ['10 requests per second', { rateLimit: 10 }],
] as const
for (const [name, options, change] of conditions)
  console.log(`${name}: loop ${await judge(loop, options, change)}; iterate ${await judge(iterate, options, change)}`)
const assumed = alternativesTo(assume()).map(({ key, value }) => ({ assumptions: { [key]: value } }))
const runs = assumed.flatMap((options) => [judge(iterate, options), judge(iterate, options, 'add')])
const byResult = Map.groupBy(await Promise.all(runs), (result) => result)
for (const [result, all] of byResult) console.log(`iterate in ${all.length} of ${runs.length} combinations: ${result}`)
