import { createMockLedger } from '@guild-ledger/mock-server'
import { cases, expectedOf, nameOf, observe, type AdapterName, type Connection } from './table.ts'

const timeoutMs = 10_000
const timeout = () => new Promise<string>((resolve) => setTimeout(resolve, timeoutMs, `nothing for ${timeoutMs} ms`))

/** Tries every case through an adapter: how many there were, and a line for each with another outcome. */
export const tryAll = async (
  name: AdapterName,
  mock = createMockLedger(),
  connection: Connection = { url: mock.origin, fetch: mock.fetch },
) => {
  const wrong: string[] = []
  for (const each of cases) {
    const [expected, got] = [expectedOf(each, name), await Promise.race([observe(each, mock, connection), timeout()])]
    if (got !== expected) wrong.push(`${nameOf(each)}\n    expected ${expected}\n    got      ${got}`)
  }
  return { count: cases.length, wrong }
}
