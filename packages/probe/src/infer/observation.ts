import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspectsOf, type Aspect, type Aspects, type Group, type Part } from './aspects.ts'
import type { Copy } from './copy.ts'
import type { Solution } from './domains.ts'

/** A response to a request, and the ledgers that it may be about: several if transactions were added meanwhile. */
export interface Observation {
  readonly request: ModelRequest
  readonly observed: Aspects
  /** The data of the response. */
  readonly groups: readonly Group[]
  readonly copies: readonly Copy[]
  /** Where a request differs in kind from others. */
  readonly place: string
}

/** The integers in a request and its response that an assumption about pages, or about their size, may be. */
export const numbersIn = ({ request: { query = {} }, observed, groups }: Observation, key: AssumptionKey): number[] => {
  const count = () => groups.reduce((sum, { transactions }) => sum + transactions.length, 0)
  const numbers = key === 'maxPage' ? [query['page'], observed.of('page')] : [query['limit'], observed.of('limit'), count()]
  return numbers
    .flat()
    .map(Number)
    .flatMap((number) => (Number.isSafeInteger(number) ? [number - 1, number] : []))
}

/** The aspects of a part that a mock with these values does not explain. Where variants of a ledger differ, everything is explained. */
export const failingIn = (
  { request, observed, copies }: Observation,
  part: Part,
  solution: Solution,
  among: readonly Aspect[] = aspectsOf[part],
): readonly Aspect[] => {
  let failing = among
  for (const copy of copies) {
    const { expected } = copy.predict(request, solution, part)
    failing = failing.filter((aspect) => !agreesIn(aspect, expected, observed))
    if (failing.length === 0) return failing
    const hidden = copy.hidden(request, solution, part, failing)
    failing = failing.filter((aspect) => !hidden.has(aspect))
  }
  return failing
}
