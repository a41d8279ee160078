/** Announces into a file without pauses, until it is killed. */
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
    // The time between posting and storing the checkpoint, long enough for some of the kills to hit it.
    await sleep(1)
  },
})
