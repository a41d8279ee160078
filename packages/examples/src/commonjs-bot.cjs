// A bot that is still CommonJS: require() takes the package as it is, from Node 22.12 on.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node commonjs-bot.cjs
const { GuildLedger, NoGuildTransactionsError } = require('@guild-ledger/sdk')

/**
 * The newest purchase, in words. Types work here too: a comment is all they need.
 *
 * @param {import('@guild-ledger/sdk').GuildLedger} ledger
 * @returns {Promise<string>}
 */
const newestPurchase = async (ledger) => {
  try {
    const page = await ledger.transactions.list({ limit: 1, sortBy: 'createdAt', sortOrder: 'desc' })
    // One result is one transaction or one user with all of theirs: which of the two is not shown.
    const rows = page.data.flatMap(({ platformId, transactions }) =>
      transactions.map((row) => ({ ...row, platformId })),
    )
    const [newest] = rows.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    return newest ? `${newest.platformId} bought ${newest.quantity} × ${newest.name}` : 'Nothing has been bought yet.'
  } catch (error) {
    if (error instanceof NoGuildTransactionsError) return 'Nothing has been bought yet.'
    throw error
  }
}

module.exports = { newestPurchase }

if (require.main === module) {
  // No await at the top level here, so failures have to be caught by hand.
  const main = async () => console.log(await newestPurchase(new GuildLedger()))
  main().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
