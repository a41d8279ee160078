/**
 * The memory of a ledger next to that of the transactions it was given: once loaded, and with every column and
 * order that a query can make.
 *
 *     pnpm --dir bench mock:memory [transactions…]
 */
import type { Filter, Sort, SortField } from '../../packages/mock-server/src/store/selection.ts'
import { createTransactionStore, type TransactionStore } from '../../packages/mock-server/src/store/transactions.ts'
import { day, firstAt, ledgerDays, ledgerOf, sources, usedMb } from './mock-rows.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1e4, 1e5, 1e6]
const fields: readonly SortField[] = ['createdAt', 'amount', 'total', 'quantity', 'name']
const sorts = fields.flatMap((by) =>
  (['asc', 'desc'] as const).map((order): Sort => ({ by, order, names: 'code-point', ties: 'transaction-id' })),
)

/** In a function of its own, so that nothing else holds the transactions given. */
const loaded = (size: number, before: number) => {
  const given = ledgerOf(size)
  const givenMb = usedMb() - before
  const store = createTransactionStore()
  store.add(given)
  return { store, givenMb, platformId: given[0]?.platformId ?? '' }
}

/** Queries that make every column and every order that the defaults of the assumptions need. */
const queryEverything = (store: TransactionStore, platformId: string) => {
  const filters: readonly Filter[] = [
    [],
    [{ field: 'platformId', text: platformId, match: 'exact' }],
    [{ field: 'source', text: sources[0] ?? '', match: 'exact' }],
    [{ field: 'amount', min: 1, max: 900 }],
    [{ field: 'createdAt', min: firstAt + day, max: firstAt + (ledgerDays - 1) * day }],
  ]
  for (const [sort, filter] of sorts.flatMap((each) => filters.map((one) => [each, one] as const))) {
    const { slice, sum, userCount } = store.select(filter, sort)
    const page = slice(0, 20)
    if (page.length === 0 || sum('total') + sum('amount') < 0 || userCount === 0) throw new Error('a page is empty')
  }
}

// So that compiled code and caches of the engine do not count.
const warm = loaded(1000, 0)
queryEverything(warm.store, warm.platformId)
print('transactions | given MB  loaded MB  everything MB | loaded ÷ given  all ÷ given')
for (const size of sizes) {
  const before = usedMb()
  const { store, givenMb, platformId } = loaded(size, before)
  const loadedMb = usedMb() - before
  queryEverything(store, platformId)
  const allMb = usedMb() - before
  const ratios = [loadedMb, allMb].map((mb) => (mb / givenMb).toFixed(2))
  const columns = [size, givenMb.toFixed(1), loadedMb.toFixed(1), allMb.toFixed(1), ...ratios]
  print(
    columns
      .map((value, i) => `${i === 1 || i === 4 ? '| ' : ''}${String(value).padStart([10, 8, 10, 15, 14, 12][i] ?? 0)}`)
      .join(' '),
  )
  if (store.size !== size) throw new Error('transactions are missing')
}
