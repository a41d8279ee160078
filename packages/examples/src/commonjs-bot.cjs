// A CommonJS bot: from Node 22.12 on, require() loads the package.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node commonjs-bot.cjs
const { GuildLedger, NoGuildTransactionsError } = require('@guild-ledger/sdk')

/**
 * Describes the newest purchase. JSDoc comments provide the types.
 *
 * @param {import('@guild-ledger/sdk').GuildLedger} ledger
 * @returns {Promise<string>}
 */
const newestPurchase = async (ledger) => {
  try {
    const page = await ledger.transactions.list({ limit: 1, sortBy: 'createdAt', sortOrder: 'desc' })
    // Whether `limit` counts transactions or users is unspecified, so the page may have several transactions.
    const found = page.data.flatMap(({ platformId, transactions }) =>
      transactions.map((transaction) => ({ ...transaction, platformId })),
    )
    const [newest] = found.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    return newest ? `${newest.platformId} bought ${newest.quantity} × ${newest.name}` : 'Nothing has been bought yet.'
  } catch (error) {
    if (error instanceof NoGuildTransactionsError) return 'Nothing has been bought yet.'
    throw error
  }
}

module.exports = { newestPurchase }

if (require.main === module) {
  // CommonJS has no top-level await, so errors have to be caught here.
  const main = async () => console.log(await newestPurchase(new GuildLedger()))
  main().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
