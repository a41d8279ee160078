import { GuildLedger } from '@guild-ledger/sdk'

const ledger = new GuildLedger()

/** Rendered once, by `next build`. */
export default async function Page() {
  const { pagination } = await ledger.transactions.list({ limit: 5 })
  return <p>{`${pagination.total} transactions`}</p>
}
