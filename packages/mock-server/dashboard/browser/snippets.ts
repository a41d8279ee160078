/** What a snippet connects to. */
export interface SnippetTarget {
  /** Base URL of the mock server, without a slash at the end. */
  readonly url: string
  readonly key: string
}

/** Used in place of a key as long as none is known. */
export const placeholder = 'YOUR_KEY'

/** The request that every snippet sends. */
export const listPath = '/guild/ledger/transactions?limit=3'

/** Whether a string can be a key, which a header has to carry. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const shellString = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A string literal of both Python and TypeScript; the text is printable ASCII. */
const stringLiteral = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

const isSecure = (url: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname) || url.startsWith('https:')

const curl = ({ url, key }: SnippetTarget): string =>
  `curl -H ${shellString(`x-api-key: ${key}`)} ${shellString(url + listPath)}`

const python = ({ url, key }: SnippetTarget): string => `import json
from urllib.request import Request, urlopen

request = Request(
    ${stringLiteral(url + listPath)},
    headers={'x-api-key': ${stringLiteral(key)}},
)
with urlopen(request) as response:
    page = json.load(response)

for group in page['data']:
    for transaction in group['transactions']:
        print(group['platformId'], transaction['createdAt'], transaction['name'], transaction['total'])`

const typeScript = ({ url, key }: SnippetTarget): string => `import { GuildLedger } from '@guild-ledger/sdk'

const ledger = new GuildLedger({
  apiKey: ${stringLiteral(key)},
  baseUrl: ${stringLiteral(url)},${isSecure(url) ? '' : '\n  allowInsecureHttp: true,'}
})
const page = await ledger.transactions.list({ limit: 3 })

for (const { platformId, transactions } of page.data) {
  for (const { createdAt, name, total } of transactions) {
    console.log(platformId, createdAt, name, total)
  }
}`

/** Code to copy, by language. URL and key are escaped. */
export const snippets = { curl, Python: python, TypeScript: typeScript } as const
