/**
 * What a ledger holds beside the rows it was given: rows made and measured, loaded, let go by us, then every order, every
 * list of a user's and a source's rows and every column asked for.
 *
 *     pnpm --dir bench mock:memory [rows…]
 */
import {
  createRows,
  type Filter,
  type Rows,
  type Sort,
  type SortField,
} from '../../packages/mock-server/src/store/index.ts'
import { firstAt, madeRows, sources, usedMb } from './mock-rows.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1e4, 1e5, 1e6]
const fields: readonly SortField[] = ['createdAt', 'amount', 'total', 'quantity', 'name']
const sorts = fields.flatMap((by) =>
  (['asc', 'desc'] as const).map((order): Sort => ({ by, order, names: 'code-unit', ties: 'transaction-id' })),
)

/** Made and handed over in a function of its own: what a function still holds is not free. */
const loaded = (size: number, before: number) => {
  const given = madeRows(size)
  const givenMb = usedMb() - before
  const rows = createRows()
  rows.add(given)
  return { rows, givenMb, platformId: given[0]?.platformId ?? '' }
}

const askEverything = (rows: Rows, platformId: string) => {
  const filters: readonly Filter[] = [
    {},
    { platformId },
    { source: { text: sources[0] ?? '', match: 'exact' } },
    { minAmount: 1, maxAmount: 900 },
    { minCreatedAt: firstAt, maxCreatedAt: firstAt + 60_000 },
  ]
  for (const [sort, filter] of sorts.flatMap((each) => filters.map((one) => [each, one] as const))) {
    const { slice, sum, users } = rows.select(filter, sort)
    if (slice(0, 20).length === 0 || sum('total') < 0 || users.length === 0) throw new Error('a page is empty')
  }
  // Selections are kept for a while and are no index: those of unknown users push them out.
  for (const sort of sorts) for (let i = 0; i < 8; i++) rows.select({ platformId: `nobody ${i}` }, sort)
}

// What is compiled and cached on the way is no part of a ledger.
const warm = loaded(1000, 0)
askEverything(warm.rows, warm.platformId)
print('      rows | given MB  loaded MB  all indexes MB | loaded ÷ given  all ÷ given')
for (const size of sizes) {
  const before = usedMb()
  const { rows, givenMb, platformId } = loaded(size, before)
  const loadedMb = usedMb() - before
  askEverything(rows, platformId)
  const allMb = usedMb() - before
  const ratios = [loadedMb, allMb].map((mb) => (mb / givenMb).toFixed(2))
  const columns = [size, givenMb.toFixed(1), loadedMb.toFixed(1), allMb.toFixed(1), ...ratios]
  print(
    columns
      .map((value, i) => `${i === 1 || i === 4 ? '| ' : ''}${String(value).padStart([10, 8, 10, 15, 14, 12][i] ?? 0)}`)
      .join(' '),
  )
  if (rows.size !== size) throw new Error('rows went missing')
}
