import { createApi, ResponseError } from './api.ts'
import { createAssumptionPanel } from './assumptions.ts'
import { find } from './elements.ts'
import { createControlPanel } from './control.ts'
import { createFaultPanel } from './faults.ts'
import { createFetchState, type State } from './fetch-state.ts'
import { createKeyPanel } from './keys.ts'
import { createOverview } from './overview.ts'
import { createRequestPanel } from './requests.ts'
import { guildPath, messageOf } from './responses.ts'
import { createTransactionList } from './transaction-list.ts'
import { createTryIt } from './try-it.ts'

const intervalMs = 2000
// A mock server that takes long to respond is polled less often, but its end is noticed soon.
const pausePerDuration = 5
const maxPauseMs = 10_000

const pageUrl = new URL('.', location.href).href
const url = new URL('..', pageUrl).href.replace(/\/$/, '')
const api = createApi(pageUrl)
const fetchState = createFetchState(api)
const tryIt = createTryIt(url)
const requests = createRequestPanel(api)
const assumptions = createAssumptionPanel(async (key, value) => {
  try {
    await api.request(guildPath(guildId), 'PATCH', { assumptions: { [key]: value } })
    assumptions.showError(key, '')
  } catch (error) {
    assumptions.showError(key, messageOf(error))
  }
  await refresh()
})
const overview = createOverview(() => void refresh())
const keys = createKeyPanel(api, {
  onCreated(key) {
    if (key.guildId !== null) tryIt.useKey(key.guildId, key.value)
    void refresh()
  },
  onDeleted(value) {
    if (value !== undefined) tryIt.dropKey(value)
    void refresh()
  },
})
const faults = createFaultPanel(api, () => void refresh())
const control = createControlPanel(api, {
  onChange: () => void refresh(),
  onGuildCreated({ id, apiKey }) {
    overview.select(id)
    tryIt.useKey(id, apiKey)
  },
})
const transactions = createTransactionList(api, () => void refresh())
const status = find('state', HTMLElement)
const alert = find('alert', HTMLElement)
const pause = find('pause', HTMLButtonElement)
const token = find('token', HTMLElement)
const tokenValue = find('token-value', HTMLInputElement)
const tokenError = find('token-error', HTMLElement)
const content = find('content', HTMLElement)
const sections = find('sections', HTMLElement)

/** The selected guild. */
let guildId = ''

let isPaused = false
/** Names of keys by id, including keys that were deleted since the page was opened. */
const keyNames = new Map<string, string>()
const nameOf = (keyId: string) => keyNames.get(keyId) ?? keyId

/** The key in the fragment of the link, which is never sent. It is removed from the address bar at once. */
let keyFromLink = new URLSearchParams(location.hash.slice(1)).get('key')
if (keyFromLink !== null) history.replaceState(null, '', location.pathname)

const show = (state: State) => {
  const { guilds, guild, clock } = state
  for (const { id, name } of state.keys) keyNames.set(id, name)
  guildId = guild.id
  overview.show(guilds, guild, clock)
  tryIt.showGuild(guild.id)
  if (keyFromLink !== null) tryIt.useKey(guild.id, keyFromLink)
  keyFromLink = null
  keys.show(guild.id, state.keys, clock ? Date.parse(clock.now) : Date.now())
  assumptions.show(state.assumptions, guild.assumptions)
  faults.show(guild.id, state.faults)
  control.show(guild, clock)
  void transactions.show(guild.id).catch(() => {})
  if (isPaused) return
  requests.show(state.requests, nameOf)
  requests.showAudit(state.audit, nameOf)
}

const showStatus = (responds: boolean, message: string) => {
  status.className = `state ${responds ? 'up' : 'down'}`
  status.textContent = responds ? `running at ${url}` : 'not responding'
  if (alert.textContent !== message) alert.textContent = message
  alert.hidden = message === ''
}

const showContent = (visible: boolean) => {
  token.hidden = visible
  content.hidden = !visible
  sections.hidden = !visible
}

const requestToken = (message: string) => {
  showStatus(true, '')
  showContent(false)
  tokenError.textContent = message
  tokenValue.focus()
}

const notResponding = 'The mock server does not respond. Was it stopped? This page keeps trying.'
let latestRefresh = 0
let timer: ReturnType<typeof setTimeout> | undefined

const refresh = async (): Promise<void> => {
  clearTimeout(timer)
  const thisRefresh = ++latestRefresh
  const start = performance.now()
  const result = await fetchState(overview.selected).catch((error: unknown) => error)
  // A later refresh has newer state.
  if (thisRefresh !== latestRefresh) return
  if (result instanceof ResponseError && result.status === 401) {
    requestToken('The token is wrong.')
    return
  }
  if (result instanceof ResponseError) showStatus(true, result.message)
  else if (result instanceof Error) showStatus(false, notResponding)
  else {
    showStatus(true, '')
    showContent(true)
    show(result as State)
  }
  const durationMs = performance.now() - start
  const pauseMs = Math.max(intervalMs, Math.min(durationMs * pausePerDuration, maxPauseMs))
  if (!document.hidden) timer = setTimeout(refresh, pauseMs)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && token.hidden) void refresh()
})
pause.addEventListener('click', () => {
  isPaused = !isPaused
  pause.textContent = isPaused ? 'Resume' : 'Pause'
  void refresh()
})
find('token-form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault()
  api.useToken(tokenValue.value)
  tokenValue.value = ''
  await refresh()
  if (token.hidden) find('main', HTMLElement).focus()
})
if (document.documentElement.dataset.access === 'token') {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('footer a')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      void api.download(link.getAttribute('href') ?? '')
    })
  }
  requestToken('')
} else void refresh()
