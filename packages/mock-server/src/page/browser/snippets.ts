/** What a snippet is about. */
export interface Target {
  /** Base URL of the mock, without a slash at the end. */
  readonly url: string
  readonly key: string
}

/** Stands where a key would, as long as none is known. */
export const placeholder = 'YOUR_KEY'

/** The request that every snippet makes. */
export const listPath = '/guild/ledger/transactions?limit=3'

/** Whether a header can carry this as a key, so whether it can be one. */
export const canBeKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Both languages read it alike, as there are only printable characters in it. */
const inQuotes = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

const isThisMachine = (url: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname) || url.startsWith('https:')

const curl = ({ url, key }: Target): string => `curl -H ${inShell(`x-api-key: ${key}`)} ${inShell(url + listPath)}`

const python = ({ url, key }: Target): string => `import json
from urllib.request import Request, urlopen

request = Request(
    ${inQuotes(url + listPath)},
    headers={'x-api-key': ${inQuotes(key)}},
)
with urlopen(request) as reply:
    page = json.load(reply)

for group in page['data']:
    for row in group['transactions']:
        print(group['platformId'], row['createdAt'], row['name'], row['total'])`

const typeScript = ({ url, key }: Target): string => `import { GuildLedger } from '@guild-ledger/sdk'

const ledger = new GuildLedger({
  apiKey: ${inQuotes(key)},
  baseUrl: ${inQuotes(url)},${isThisMachine(url) ? '' : '\n  allowInsecureHttp: true,'}
})
const page = await ledger.transactions.list({ limit: 3 })

for (const { platformId, transactions } of page.data) {
  for (const { createdAt, name, total } of transactions) {
    console.log(platformId, createdAt, name, total)
  }
}`

/** Ready to paste, by language. Keys and addresses are quoted, whatever is in them. */
export const snippets = { curl, Python: python, TypeScript: typeScript } as const
