/** Announces into a file, as fast as it can, until somebody kills it. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { GuildLedger } from '@guild-ledger/sdk'
import { announce } from '../../src/announce.ts'

const [file = '', announced = ''] = process.argv.slice(2)
await announce(new GuildLedger({ throttle: false }), {
  file,
  intervalMs: 20,
  signal: new AbortController().signal,
  post: async ({ transactionId }) => {
    appendFileSync(announced, `${transactionId}\n`)
    // The moment between announcing and storing: long enough to be met by some of the kills.
    await sleep(1)
  },
})
