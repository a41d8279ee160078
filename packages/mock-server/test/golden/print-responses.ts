/**
 * Prints the responses of `mock.fetch` to the golden suite, a JSON line for each request, to compare runtimes:
 * `bun --conditions=@guild-ledger/source print-responses.ts` must print what Node prints.
 */
import { goldenSuite, responsesThrough } from './requests.ts'

const { mock, requests } = goldenSuite()
const responses = await responsesThrough(mock.fetch, mock.origin, requests)
// oxlint-disable-next-line no-console
console.log(responses.map((response) => JSON.stringify(response)).join('\n'))
