/** Exports without pauses, until it is done or killed. */
import { GuildLedger } from '@guild-ledger/sdk'
import { exportResumable } from '../../src/export-resumable.ts'

const [name = '', since = ''] = process.argv.slice(2)
await exportResumable(new GuildLedger({ throttle: false }), name, new Date(since))
