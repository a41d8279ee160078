// A web page for a guild manager, who enters the key; the page keeps it in memory only. A public page must not contain a
// key: see cloudflare-worker.ts. test/manager-page.browser.test.ts tests this page in a browser.
import { GuildLedger, type GuildLedgerOptions, type Transaction } from '@guild-ledger/sdk'
import { adviceFor } from './errors.ts'
import { lastPurchases } from './list-and-filter.ts'

/** Creates a client with a key that the visitor has entered. */
export const clientFor = (apiKey: string, options: Omit<GuildLedgerOptions, 'apiKey'> = {}): GuildLedger =>
  // Required in browsers, to confirm that the visitor may see the key.
  new GuildLedger({ ...options, apiKey, dangerouslyAllowBrowser: true })

const html = `
  <style>
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
    form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end }
    label { display: grid } input, button { font: inherit; padding: 0.25rem 0.5rem }
    th, td { padding: 0.25rem 2rem 0.25rem 0; text-align: start }
    :is(th, td):last-child { text-align: end; font-variant-numeric: tabular-nums }
  </style>
  <form>
    <label>Key <input name="key" type="password" autocomplete="off" required></label>
    <label>User <input name="user" required></label>
    <button>Show</button>
  </form>
  <p role="status"></p>
  <table hidden>
    <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Total</th></tr></thead>
    <tbody></tbody>
  </table>
`

const createRow = ({ createdAt, quantity, name, total }: Transaction): HTMLTableRowElement => {
  const row = document.createElement('tr')
  const day = new Date(createdAt).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
  // As text, because names come from users: one may be <img onerror=…>.
  for (const text of [day, `${quantity} × ${name}`, total.toFixed(2)]) row.insertCell().textContent = text
  return row
}

/** Renders the page into `root`. */
export const managerPage = (root: HTMLElement, connect: (apiKey: string) => GuildLedger): void => {
  root.innerHTML = html
  const find = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attribute = ''): HTMLElementTagNameMap[Tag] => {
    const found = root.querySelector<HTMLElementTagNameMap[Tag]>(`${tag}${attribute}`)
    if (found) return found
    throw new Error(`the page has no ${tag}${attribute}`)
  }
  const [key, user] = [find('input', '[name=key]'), find('input', '[name=user]')]
  const [status, table, body] = [find('p'), find('table'), find('tbody')]
  const show = (text: string, purchases: readonly Transaction[] = []) => {
    status.textContent = text
    table.hidden = purchases.length === 0
    body.replaceChildren(...purchases.map(createRow))
  }
  find('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    show('Loading …')
    try {
      const purchases = await lastPurchases(connect(key.value), user.value)
      show(`The last ${purchases.length} purchases.`, purchases)
    } catch (error) {
      show(adviceFor(error)?.message ?? 'Something went wrong.')
    }
  })
}
