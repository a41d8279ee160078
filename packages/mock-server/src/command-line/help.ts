import { assumptionRows, type AssumptionRow } from '../assumptions/index.ts'
import { defaultApiKey } from '../mock-ledger/index.ts'

const valuesOf = (row: AssumptionRow): string =>
  'readings' in row
    ? row.readings.map(([value]) => value).join(' | ')
    : `${row.default}, or a whole number${row.orNull ? '' : ` from ${row.min} to ${row.max}`}`

const assumptionLines = Object.entries<AssumptionRow>(assumptionRows).map(
  ([key, row]) => `  ${key.padEnd(26)}${valuesOf(row)}`,
)

/** What `--help` prints. */
export const help = `Usage: guild-ledger-mock [options]

Serves a mock of the Guild Ledger Transactions Service over HTTP until it is interrupted.

Options:
  --port N             port to listen on, 0 for a free one            (4010)
  --host ADDRESS       address to listen on                           (127.0.0.1)
  --seed N             same seed, same rows                           (1)
  --users N            users who have transactions                    (50)
  --transactions N     transactions to make up                        (1000)
  --data FILE          rows of your own instead, one JSON object a line: a Transaction with its platformId,
                       or replies of the service
  --rate-limit N|off   requests a second that are let through         (10)
  --api-key KEY        key that requests have to carry                (${defaultApiKey})
  --assumptions FILE   JSON object of assumptions, see below
  --assume KEY=VALUE   one assumption, over those of the file; may be repeated
  --explain            name the assumptions that shaped a reply in its header x-mock-assumptions
  --admin-token TOKEN  ask for "authorization: Bearer TOKEN" under /_mock/, the admin API; without a token that is
                       there on loopback only
  --cors               let web pages of any origin ask
  --log                a line on stderr for each request
  --json               print one JSON line with url, apiKey and guildId once ready
  -h, --help           this text
  -v, --version        the version

Assumptions, where the document of the service is silent; the first value is the default:
${assumptionLines.join('\n')}
`
