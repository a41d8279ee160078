import { copyOnClick } from './copy.ts'
import { element, find } from './elements.ts'
import { sentenceOf } from './replies.ts'
import { canBeKey, listPath, placeholder, snippets } from './snippets.ts'

const patienceMs = 10_000
const mostShown = 20_000

/** Snippets, and a button that sends what they would. */
export interface TryIt {
  /** Keys are remembered by guild, in this tab. */
  showGuild(guildId: string): void
  useKey(guildId: string, value: string): void
  /** Takes a key out of the snippets when it is good for nothing any more. */
  dropKey(value: string): void
}

interface Tab {
  readonly button: HTMLButtonElement
  readonly panel: HTMLElement
  readonly code: HTMLElement
  readonly snippet: (typeof snippets)[keyof typeof snippets]
}

const tabOf = ([language, snippet]: [string, Tab['snippet']]): Tab => {
  const id = language.toLowerCase()
  const code = element('code')
  return {
    button: element(
      'button',
      { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
      language,
    ),
    panel: element('pre', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0' }, code),
    code,
    snippet,
  }
}

/** Which tab a key of the keyboard leads to. */
const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

const createTabs = (bar: HTMLElement): { tabs: readonly Tab[]; chosen: () => Tab } => {
  const tabs = Object.entries(snippets).map(tabOf)
  let chosen = 0
  const choose = (at: number) => {
    chosen = at
    for (const [i, { button, panel }] of tabs.entries()) {
      button.ariaSelected = String(i === at)
      button.tabIndex = i === at ? 0 : -1
      panel.hidden = i !== at
    }
  }
  for (const [i, { button }] of tabs.entries()) button.addEventListener('click', () => choose(i))
  bar.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    choose(step(chosen, tabs.length - 1))
    tabs[chosen]?.button.focus()
  })
  bar.append(...tabs.map(({ button }) => button))
  bar.after(...tabs.map(({ panel }) => panel))
  choose(0)
  return { tabs, chosen: () => tabs[chosen] ?? (tabs[0] as Tab) }
}

const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Makes the section "Try it" work, for the mock at this base URL. */
export const createTryIt = (url: string): TryIt => {
  const input = find('key', HTMLInputElement)
  const problem = find('key-problem', HTMLElement)
  const sent = find('sent', HTMLElement)
  const reply = find('reply', HTMLElement)
  const keys = new Map<string, string>()
  const { tabs, chosen } = createTabs(find('languages', HTMLElement))
  let guild = ''

  const key = () => input.value.trim()
  const show = () => {
    const wrong = key() !== '' && !canBeKey(key())
    problem.textContent = wrong ? 'A key is printable ASCII without spaces, so that a header can carry it.' : ''
    input.ariaInvalid = String(wrong)
    const target = { url, key: canBeKey(key()) ? key() : placeholder }
    for (const { code, snippet } of tabs) code.textContent = snippet(target)
  }
  const write = () => {
    input.value = keys.get(guild) ?? ''
    show()
  }

  const send = async () => {
    if (!canBeKey(key())) {
      input.focus()
      problem.textContent ||= 'Fill in a key first, or create one.'
      return
    }
    sent.textContent = 'sent …'
    const start = performance.now()
    try {
      const signal = AbortSignal.timeout(patienceMs)
      const answer = await fetch(url + listPath, { headers: { 'x-api-key': key() }, cache: 'no-store', signal })
      const text = await answer.text()
      sent.textContent = `${answer.status} in ${Math.ceil(performance.now() - start)} ms`
      reply.textContent = readable(text).slice(0, mostShown)
    } catch (error) {
      sent.textContent = 'no whole reply'
      reply.textContent = sentenceOf(error)
    }
    reply.hidden = false
  }

  input.addEventListener('input', () => {
    keys.set(guild, key())
    show()
  })
  copyOnClick(find('copy', HTMLButtonElement), () => chosen().code)
  find('send', HTMLButtonElement).addEventListener('click', send)
  show()
  return {
    showGuild(guildId) {
      if (guildId === guild) return
      guild = guildId
      write()
    },
    useKey(guildId, value) {
      keys.set(guildId, value)
      if (guildId === guild) write()
    },
    dropKey(value) {
      for (const [guildId, known] of keys) if (known === value) keys.delete(guildId)
      write()
    },
  }
}
