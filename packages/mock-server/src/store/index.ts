/**
 * The ledgers of the mock and its keys, in memory. Nothing here knows HTTP or pages of JSON.
 *
 * `select-plainly.ts` says in 20 lines what a query selects. The rest is the same, fast: read on only to change it.
 *
 * **A query in one page.** `transactions.ts` is a ledger. Its transactions are in two tables: nearly all in one, and those
 * that were added lately in a small one, so that an addition costs little. A table never changes (`table.ts`): columns,
 * orders and everything else are computed when a query first needs them and kept for as long as the table, and a
 * snapshot is a reference. A query selects from both tables (`select.ts`) and merges the two results (`combine.ts`).
 *
 * A table knows transactions by their index. For each sort there is an array of all indexes in ascending order, and one in
 * which they are grouped by user or by source (`order.ts`). A *run* is a slice of such an array (`run.ts`): a user, a
 * source, a range of the field that the array is sorted by, or a range of a user's or a source's transactions. Halving
 * finds its ends, so its length, the number of transactions that meet these conditions, is known at once.
 *
 * `select.ts` plans. There are three ways to find the matches of a filter (`conditions.ts`):
 *
 * 1. One run in the order of the sort has all matches and no others: the page is a slice of it.
 * 2. One run has them, but in another order: total and summary come from it. For the page, either the array in the order
 *    of the sort is scanned until the page is full, which suits many matches, or the matches are sorted, which suits few
 *    (`page.ts` compares the costs).
 * 3. No run has them, such as amounts and dates together: the shortest run is filtered, and the page comes from the list
 *    of matches as in 1 or 2.
 *
 * A summary of a run takes about as long for a million transactions as for a thousand (`matches.ts`):
 *
 * - the total is the length of the run;
 * - sums are differences of two prefix sums (`prefix-sums.ts`), which are exact because decimals are added up as integers
 *   (`sum.ts`);
 * - users are counted where they appear for the first time in the run: where their previous position in the array is
 *   before the run (`distinct.ts`).
 *
 * A large array is sorted without comparing (`radix-sort.ts`). Arrays are ascending only. `reverse-slice.ts` reads them in descending order and leaves ties in their order.
 */
export { createScheduledInserts, type Schedule, type ScheduledInserts } from './scheduled-inserts.ts'
export { violationOf } from './validate-transactions.ts'
export { createKeys, keyValue, type ApiKey, type CreatedKey, type KeyDetails, type Keys, type Scope } from './keys.ts'
export { createTransactionStore, type TransactionStore } from './transactions.ts'
export { parseTransactions } from './parse-transactions.ts'
export type { Condition, Filter, Selection, Sort, SortField } from './selection.ts'
export { sumOf } from './sum.ts'
