import type { LedgerCopy } from './model/ledger-copy.ts'
import type { ProbeRequest } from './model/probe-request.ts'

/** A request that the probe may send, and the variables it is about. */
export interface Candidate {
  readonly request: ProbeRequest
  readonly targets: readonly string[]
}

/** Parameters by name; an array repeats the name. */
export type Parameters = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A request for list-all, or for a user. */
export const requestOf = (user: string | null, parameters: Parameters): ProbeRequest => ({
  user,
  parameters: Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  ),
})

/** A request for list-all that asks for the window only, if the copy is one. */
export const withinWindow = (request: ProbeRequest, { window }: LedgerCopy): ProbeRequest =>
  window === undefined || request.user !== null || request.parameters.some(([name]) => name === 'endDate')
    ? request
    : { ...request, parameters: [...request.parameters, ['endDate', new Date(window.end).toISOString()]] }

/** A source, a name or a user that no ledger has. */
export const noSuch = 'no-such-value-6f1d'
