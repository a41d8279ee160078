/** Exports a ledger with one of the paginators, in a process of its own: reports how long it took and what it got. */
import { paginators } from './pagination-contenders.ts'

const [name = '', url = ''] = process.argv.slice(2)
const paginate = await paginators[name]?.(url)
if (!paginate) throw new Error(`no paginator ${name}`)
process.once('message', async () => {
  const startedAt = performance.now()
  const ids = new Set<string>()
  let transactions = 0
  for await (const id of paginate()) {
    transactions++
    ids.add(id)
  }
  process.send?.({ wallMs: performance.now() - startedAt, transactions, distinct: ids.size })
  process.disconnect()
})
process.send?.('ready')
