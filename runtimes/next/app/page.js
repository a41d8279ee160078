import { GuildLedger } from '@guild-ledger/sdk'

// Rendered for each request, because its `fetch` stores nothing.
const ledger = new GuildLedger({
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
})

export default async function Page() {
  const { pagination } = await ledger.transactions.list({ limit: 5 })
  return <p>{`${pagination.total} transactions`}</p>
}
