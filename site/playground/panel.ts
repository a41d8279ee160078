/** The result of a run below its snippet: output, requests, assumptions. Loaded with the first click on Run. */
import { withBase } from 'vitepress'
import { compare, createTranscript, runUnseen } from './comparison.ts'
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
  const headings = ['Sent at', 'Waited to be sent', 'Status', 'Request'].map((text) =>
    element('th', { scope: 'col' }, text),
  )
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
    explain({ name, value, question, meaning }: MetAssumption) {
      if (met.has(name)) return
      assumptions.hidden = false
      const here = meaning === undefined ? '' : ` Here: ${meaning}.`
      const link = element('a', { href: guideTo(name) }, `${name}: ${value}`)
      const item = element('li', {}, link, ` – ${question}.${here}`)
      met.set(name, item)
      list.append(item)
      assumptions.firstChild!.textContent = `${met.size} ${met.size === 1 ? 'behaviour' : 'behaviours'} that the spec does not define`
    },
  }
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
  const { parts, print, show, explain } = createResult()
  const status = element('p', { className: 'status' }, 'Running …')
  status.setAttribute('role', 'status')
  const difference = element('p', { className: 'difference', role: 'status', hidden: true })
  result.replaceChildren(status, difference, ...parts)
  button.textContent = 'Stop'
  const given = { code: code.textContent ?? '', scenario, files }
  const transcript = createTranscript()
  const usual = scenario === 'none' ? undefined : runUnseen({ ...given, scenario: 'none' })
  const onEnd = (ending: Ending) => {
    stops.delete(playground)
    button.textContent = 'Run'
    status.className = `status ${ending.kind}`
    status.textContent = ending.text + (ending.kind === 'finished' ? ' Change the code above and run it again.' : '')
    if (ending.kind === 'stopped') usual?.stop()
    else
      void usual?.transcript.then((other) => {
        difference.hidden = false
        difference.textContent = compare(transcript.end(ending), other)
      })
  }
  stops.set(
    playground,
    start(
      given,
      (message) => {
        transcript.add(message)
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
