import { copyOnClick } from './copy.ts'
import { element, find } from './elements.ts'
import { messageOf } from './responses.ts'
import { isKey, listPath, placeholder, snippets } from './snippets.ts'

const timeoutMs = 10_000
const maxResponseLength = 20_000

/** The section "Try it": snippets, and a button that sends their request. */
export interface TryIt {
  /** Keys are remembered per guild, in this tab. */
  showGuild(guildId: string): void
  useKey(guildId: string, value: string): void
  /** Removes a deleted key from the snippets. */
  dropKey(value: string): void
}

interface Tab {
  readonly button: HTMLButtonElement
  readonly panel: HTMLElement
  readonly code: HTMLElement
  readonly snippet: (typeof snippets)[keyof typeof snippets]
}

const createTab = ([language, snippet]: [string, Tab['snippet']]): Tab => {
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

/** Index of the tab that a key of the keyboard leads to. */
const keyboardTargets: Readonly<Record<string, (current: number, last: number) => number>> = {
  ArrowRight: (current, last) => (current === last ? 0 : current + 1),
  ArrowLeft: (current, last) => (current === 0 ? last : current - 1),
  Home: () => 0,
  End: (_current, last) => last,
}

const createTabs = (bar: HTMLElement): { tabs: readonly Tab[]; selectedTab: () => Tab } => {
  const tabs = Object.entries(snippets).map(createTab)
  let selected = 0
  const select = (index: number) => {
    selected = index
    for (const [i, { button, panel }] of tabs.entries()) {
      button.ariaSelected = String(i === index)
      button.tabIndex = i === index ? 0 : -1
      panel.hidden = i !== index
    }
  }
  for (const [i, { button }] of tabs.entries()) button.addEventListener('click', () => select(i))
  bar.addEventListener('keydown', (event) => {
    const targetOf = keyboardTargets[event.key]
    if (!targetOf) return
    event.preventDefault()
    select(targetOf(selected, tabs.length - 1))
    tabs[selected]?.button.focus()
  })
  bar.append(...tabs.map(({ button }) => button))
  bar.after(...tabs.map(({ panel }) => panel))
  select(0)
  return { tabs, selectedTab: () => tabs[selected] ?? (tabs[0] as Tab) }
}

const formatJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Sets up the section "Try it" for the mock server at this base URL. */
export const createTryIt = (url: string): TryIt => {
  const input = find('key', HTMLInputElement)
  const error = find('key-error', HTMLElement)
  const status = find('send-status', HTMLElement)
  const output = find('response', HTMLElement)
  const keys = new Map<string, string>()
  const { tabs, selectedTab } = createTabs(find('languages', HTMLElement))
  let guild = ''

  const key = () => input.value.trim()
  const showSnippets = () => {
    const invalid = key() !== '' && !isKey(key())
    error.textContent = invalid ? 'A key consists of printable ASCII characters without spaces.' : ''
    input.ariaInvalid = String(invalid)
    const target = { url, key: isKey(key()) ? key() : placeholder }
    for (const { code, snippet } of tabs) code.textContent = snippet(target)
  }
  const showKey = () => {
    input.value = keys.get(guild) ?? ''
    showSnippets()
  }

  const send = async () => {
    if (!isKey(key())) {
      input.focus()
      error.textContent ||= 'Enter a key first, or create one.'
      return
    }
    status.textContent = 'sending …'
    const start = performance.now()
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url + listPath, { headers: { 'x-api-key': key() }, cache: 'no-store', signal })
      const text = await response.text()
      status.textContent = `${response.status} in ${Math.ceil(performance.now() - start)} ms`
      output.textContent = formatJson(text).slice(0, maxResponseLength)
    } catch (cause) {
      status.textContent = 'no complete response'
      output.textContent = messageOf(cause)
    }
    output.hidden = false
  }

  input.addEventListener('input', () => {
    keys.set(guild, key())
    showSnippets()
  })
  copyOnClick(find('copy', HTMLButtonElement), () => selectedTab().code)
  find('send', HTMLButtonElement).addEventListener('click', send)
  showSnippets()
  return {
    showGuild(guildId) {
      if (guildId === guild) return
      guild = guildId
      showKey()
    },
    useKey(guildId, value) {
      keys.set(guildId, value)
      if (guildId === guild) showKey()
    },
    dropKey(value) {
      for (const [guildId, known] of keys) if (known === value) keys.delete(guildId)
      showKey()
    },
  }
}
