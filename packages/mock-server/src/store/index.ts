/**
 * The ledgers of the mock and its keys, in memory. Nothing here knows HTTP or pages of JSON.
 *
 * A query filters and sorts, in columns: `transactions.ts` is a ledger, a `Table` has its transactions and the columns that
 * queries have needed so far (`table.ts`). A table never changes, so a
 * snapshot is a reference to it. For each sort there is an array of all indexes (`order.ts`), made without comparing
 * (`radix-sort.ts`). Each condition of a filter marks transactions in one pass (`conditions.ts`). The total is the number
 * of marks, and a page is read from one pass over the order (`select.ts`).
 */
export { createScheduledInserts, type Schedule, type ScheduledInserts } from './scheduled-inserts.ts'
export { entryFields, violationOf } from './validate-transactions.ts'
export { createKeys, keyValue, type ApiKey, type CreatedKey, type KeyDetails, type Keys, type Scope } from './keys.ts'
export { createTransactionStore, type TransactionStore } from './transactions.ts'
export { parseTransactions } from './parse-transactions.ts'
export type { Condition, Filter, Selection, Sort, SortField } from './selection.ts'
export { sumOf } from './sum.ts'
