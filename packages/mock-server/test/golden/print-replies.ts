/**
 * Prints what `mock.fetch` answers to the golden suite, a JSON line for each request, for other runtimes to compare:
 * `bun --conditions=@guild-ledger/source print-replies.ts` must print what Node prints.
 */
import { goldenSuite, repliesThrough } from './requests.ts'

const { mock, requests } = goldenSuite()
const replies = await repliesThrough(mock.fetch, mock.origin, requests)
// oxlint-disable-next-line no-console
console.log(replies.map((reply) => JSON.stringify(reply)).join('\n'))
