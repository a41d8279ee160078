import { documentedErrors, endpoints, operations, type Endpoint } from '@guild-ledger/sdk/contract'
import { assumptionDefinitions, type AssumptionKey } from '../assumptions/values.ts'
import type { Fault } from '../fault.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'

/** Something that happened at a mock. Facts of several mocks and processes add up. */
export type Fact =
  | readonly [kind: 'endpoint' | 'error' | 'assumption', name: string]
  | readonly [kind: 'status', status: number]
  | readonly [kind: 'value', parameter: string, value: string]
  | readonly [kind: 'scripted' | 'happened', fault: Fault]

/** What there is of one kind, divided. */
export interface Covered<Name extends string = string> {
  /** Those that a request has met. */
  readonly covered: readonly Name[]
  /** Those that no request has met. */
  readonly uncovered: readonly Name[]
}

/** What requests to a mock have covered. */
export interface Coverage {
  /** The endpoints that were requested. */
  readonly endpoints: Covered<Endpoint>
  /** The query parameters that were sent, such as `guild?sortBy`. */
  readonly parameters: Covered
  /** Of each parameter that was sent, the first 20 values. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** The statuses of the responses, in ascending order. */
  readonly statuses: readonly number[]
  /** The codes of the documented errors that were received. Spec: Errors. */
  readonly errors: Covered
  /** The assumptions that a response depended on: with another value, it would have differed. */
  readonly assumptions: Covered<AssumptionKey>
  /** The faults that were scripted and never happened. Those with a `probability` are left out. */
  readonly unusedFaults: readonly Fault[]
}

/** How many values of a parameter are kept: a server that runs for days must not fill the memory. */
export const mostValues = 20

const documented = Object.values(documentedErrors)
const allParameters = endpoints.flatMap((endpoint) =>
  Object.keys(operations[endpoint].query.shape).map((name) => `${endpoint}?${name}`),
)

export const factsOf = ({ endpoint, query, status, message, rejectedBy }: LoggedRequest): Fact[] => {
  const error = documented.find((one) => one.status === status && one.message === message)
  const sent = Object.entries(query).flatMap(([name, values]): Fact[] => {
    const parameter = `${endpoint}?${name}`
    return allParameters.includes(parameter) ? [values].flat().map((value) => ['value', parameter, value]) : []
  })
  return [
    ...sent,
    ...(endpoint === null || rejectedBy === 'method' ? [] : [['endpoint', endpoint] as const]),
    ...(status === null ? [] : [['status', status] as const]),
    ...(error ? [['error', error.code] as const] : []),
  ]
}

export const coverageOf = (texts: Iterable<string>): Coverage => {
  const facts = [...new Set(texts)].map((text) => JSON.parse(text) as Fact)
  const of = (wanted: Fact[0]): unknown[] => facts.filter(([kind]) => kind === wanted).map(([, what]) => what)
  const divided = <Name extends string>(all: readonly Name[], kind: Fact[0]): Covered<Name> => {
    const seen = new Set(of(kind))
    return { covered: all.filter((name) => seen.has(name)), uncovered: all.filter((name) => !seen.has(name)) }
  }
  const values: Record<string, string[]> = {}
  for (const [kind, parameter, value] of facts) {
    if (kind === 'value' && (values[parameter] ??= []).length < mostValues) values[parameter].push(value)
  }
  const happened = new Set(of('happened').map((fault) => JSON.stringify(fault)))
  return {
    endpoints: divided(endpoints, 'endpoint'),
    parameters: divided(allParameters, 'value'),
    values,
    statuses: (of('status') as number[]).toSorted((a, b) => a - b),
    errors: divided([...new Set(documented.map(({ code }) => code))], 'error'),
    assumptions: divided(Object.keys(assumptionDefinitions) as AssumptionKey[], 'assumption'),
    unusedFaults: (of('scripted') as Fault[]).filter(
      (fault) => fault.probability === undefined && !happened.has(JSON.stringify(fault)),
    ),
  }
}
