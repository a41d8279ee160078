// A web page for the manager of a guild: who bought what. The manager gives the key, the page holds it in memory and
// forgets it with the tab. A page for everybody must not have one: see cloudflare-worker.ts for that.
// test/manager-page.browser.test.ts tests it in a real browser.
import { GuildLedger, type GuildLedgerOptions, type Transaction } from '@guild-ledger/sdk'
import { adviceAbout } from './errors.ts'
import { lastPurchases } from './list-and-filter.ts'

/** A client for a page whose visitor has given a key of their own. */
export const clientFor = (apiKey: string, options: Omit<GuildLedgerOptions, 'apiKey'> = {}): GuildLedger =>
  // In browsers the SDK has to be told that the key is in the right hands.
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

const rowOf = ({ createdAt, quantity, name, total }: Transaction): HTMLTableRowElement => {
  const row = document.createElement('tr')
  const day = new Date(createdAt).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
  // As text: names come from users, and one may be <img onerror=…>.
  for (const text of [day, `${quantity} × ${name}`, total.toFixed(2)]) row.insertCell().textContent = text
  return row
}

/** Fills `root` with the page. */
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
    body.replaceChildren(...purchases.map(rowOf))
  }
  find('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    show('One moment …')
    try {
      const purchases = await lastPurchases(connect(key.value), user.value)
      show(`The last ${purchases.length} purchases.`, purchases)
    } catch (error) {
      show(adviceAbout(error)?.tell ?? 'Something went wrong.')
    }
  })
}
