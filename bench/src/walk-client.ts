/** Exports a ledger with one of the walkers, in a process of its own: tells how long it took and what it got. */
import { walkers } from './walk-contenders.ts'

const [name = '', url = ''] = process.argv.slice(2)
const walk = await walkers[name]?.(url)
if (!walk) throw new Error(`no walker ${name}`)
process.once('message', async () => {
  const startedAt = performance.now()
  const ids = new Set<string>()
  let rows = 0
  for await (const id of walk()) {
    rows += 1
    ids.add(id)
  }
  process.send?.({ wallMs: performance.now() - startedAt, rows, distinct: ids.size })
  process.disconnect()
})
process.send?.('ready')
