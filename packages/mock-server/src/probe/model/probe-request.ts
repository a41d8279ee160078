/** A request whose response shows something about assumptions. */
export interface ProbeRequest {
  /** The user of the one-user endpoint; `null` for list-all. */
  readonly user: string | null
  /** Parameters in the order sent; a name may repeat. */
  readonly parameters: readonly (readonly [name: string, text: string])[]
}

/** Path and query string. */
export const targetOf = ({ user, parameters }: ProbeRequest): string => {
  const path = user === null ? '/guild/ledger/transactions' : `/guild/ledger/${encodeURIComponent(user)}/transactions`
  const search = new URLSearchParams(parameters.map(([name, text]) => [name, text])).toString()
  return search === '' ? path : `${path}?${search}`
}
