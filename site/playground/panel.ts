/** The result of a run below its snippet: output, requests, assumptions. Loaded with the first click on Run. */
import { withBase } from 'vitepress'
import type { MetAssumption, SentRequest } from './messages.ts'
import { start, type Ending } from './session.ts'

/** Files that snippets of this page have written. */
const files: Record<string, string> = {}

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

const rowOf = ({ target, atMs, waitedMs, status }: SentRequest) =>
  element(
    'tr',
    {},
    ...[`${Math.round(atMs)} ms`, `${Math.round(waitedMs)} ms`, String(status ?? '…'), decodeURIComponent(target)].map(
      (text) => element('td', {}, text),
    ),
  )

const guideTo = (assumption: string) => withBase(`/assumptions.html#${assumption.toLowerCase()}`)

const createResult = () => {
  const output = element('pre', { className: 'output', tabIndex: 0, hidden: true, ariaLabel: 'Output' })
  output.setAttribute('role', 'group')
  const rows = new Map<number, HTMLElement>()
  const headings = ['Sent at', 'Waited', 'Status', 'Request'].map((text) => element('th', { scope: 'col' }, text))
  const body = element('tbody')
  const table = element('table', { tabIndex: 0 }, element('thead', {}, element('tr', {}, ...headings)), body)
  const requests = element('details', { hidden: true }, element('summary'), table)
  const met = new Map<string, HTMLElement>()
  const list = element('ul')
  const assumptions = element('details', { hidden: true }, element('summary'), list)
  return {
    parts: [output, requests, assumptions],
    print(text: string, isError: boolean) {
      output.hidden = false
      output.append(element('span', { className: isError ? 'error' : '' }, `${text}\n`))
    },
    show(request: SentRequest) {
      requests.hidden = false
      const row = rowOf(request)
      rows.get(request.id)?.replaceWith(row)
      if (!rows.has(request.id)) body.append(row)
      rows.set(request.id, row)
      requests.firstChild!.textContent = `${rows.size} ${rows.size === 1 ? 'request' : 'requests'}`
    },
    explain({ name, value, question }: MetAssumption) {
      if (met.has(name)) return
      assumptions.hidden = false
      const item = element('li', {}, element('a', { href: guideTo(name) }, `${name}: ${value}`), ` – ${question}`)
      met.set(name, item)
      list.append(item)
      assumptions.firstChild!.textContent = `The spec leaves open ${met.size} things that these responses depended on`
    },
  }
}

/** Lets readers change the code. The highlighting stays as it was. */
const makeEditable = (code: HTMLElement) => {
  code.contentEditable = 'plaintext-only'
  code.spellcheck = false
  Object.assign(code, { role: 'textbox', ariaMultiLine: 'true', ariaLabel: 'Code of the snippet' })
}

const stops = new WeakMap<HTMLElement, () => void>()

/** Runs the snippet of a playground, or stops it if it runs. */
export const toggle = (playground: HTMLElement): void => {
  const stop = stops.get(playground)
  if (stop) return stop()
  const code = playground.querySelector<HTMLElement>('pre code')!
  const button = playground.querySelector<HTMLElement>('.run')!
  const result = playground.querySelector<HTMLElement>('.result')!
  const { value: scenario } = playground.querySelector('select')!
  makeEditable(code)
  const { parts, print, show, explain } = createResult()
  const status = element('p', { className: 'status' }, 'Running …')
  status.setAttribute('role', 'status')
  result.replaceChildren(status, ...parts)
  button.textContent = 'Stop'
  const onEnd = ({ kind, text }: Ending) => {
    stops.delete(playground)
    button.textContent = 'Run'
    status.className = `status ${kind}`
    status.textContent = kind === 'finished' ? `${text} Change the code above and run it again.` : text
  }
  stops.set(
    playground,
    start(
      { code: code.textContent ?? '', scenario, files },
      (message) => {
        if (message.type === 'output') print(message.text, message.isError)
        else if (message.type === 'request') {
          show(message.request)
          message.assumptions.forEach(explain)
        } else if (message.type === 'file') {
          if (message.text === undefined) delete files[message.name]
          else files[message.name] = message.text
        }
      },
      onEnd,
    ),
  )
}
