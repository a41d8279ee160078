import { createApi, Refusal } from './api.ts'
import { createAssumptionPanel } from './assumptions.ts'
import { find } from './elements.ts'
import { createKeyPanel } from './keys.ts'
import { createLook, type Seen } from './look.ts'
import { createOverview } from './overview.ts'
import { pathOf, sentenceOf } from './replies.ts'
import { createRequestPanel } from './requests.ts'
import { createTryIt } from './try-it.ts'

const everyMs = 2000
// A mock that has much to tell is looked at less often: it has better things to do.
const restPerLook = 5

const here = new URL('.', location.href).href
const url = new URL('..', here).href.replace(/\/$/, '')
const api = createApi(here)
const look = createLook(api)
const tryIt = createTryIt(url)
const requests = createRequestPanel()
const assumptions = createAssumptionPanel(async (key, value) => {
  try {
    await api.ask(pathOf(guildId), 'PATCH', { assumptions: { [key]: value } })
    assumptions.complain('')
  } catch (error) {
    assumptions.complain(sentenceOf(error))
  }
  await refresh()
})
const overview = createOverview(() => void refresh())
const keys = createKeyPanel(api, {
  created({ guildId, value }) {
    if (guildId !== null) tryIt.useKey(guildId, value)
    void refresh()
  },
  deleted(value) {
    if (value !== undefined) tryIt.dropKey(value)
    void refresh()
  },
})
const state = find('state', HTMLElement)
const problem = find('problem', HTMLElement)
const pause = find('pause', HTMLButtonElement)
const token = find('token', HTMLElement)
const tokenValue = find('token-value', HTMLInputElement)
const tokenProblem = find('token-problem', HTMLElement)
const content = find('content', HTMLElement)
const sections = find('sections', HTMLElement)

/** The guild that is looked at. */
let guildId = ''

const isPaused = () => pause.ariaPressed === 'true'
/** Names of keys, of deleted ones too as long as this page is open. */
const names = new Map<string, string>()
const nameOf = (keyId: string) => names.get(keyId) ?? keyId

/** The key that the link brought along. It never leaves the browser, and goes from the address bar at once. */
let brought = new URLSearchParams(location.hash.slice(1)).get('key')
if (brought !== null) history.replaceState(null, '', location.pathname)

const show = ({ rows, guilds, guild, clock, keys: known, conduct, requests: asked }: Seen) => {
  for (const { id, name } of known) names.set(id, name)
  guildId = guild.id
  overview.show(guilds, guild, clock)
  tryIt.showGuild(guild.id)
  if (brought !== null) tryIt.useKey(guild.id, brought)
  brought = null
  keys.show(guild.id, known, clock ? Date.parse(clock.now) : Date.now())
  assumptions.show(rows, guild.assumptions)
  if (isPaused()) return
  requests.show(asked, nameOf)
  requests.showConduct(conduct, nameOf)
}

const tell = (answers: boolean, trouble: string) => {
  state.className = `state ${answers ? 'up' : 'down'}`
  state.textContent = answers ? `running at ${url}` : 'not answering'
  if (problem.textContent !== trouble) problem.textContent = trouble
  problem.hidden = trouble === ''
}

const open = (isOpen: boolean) => {
  token.hidden = isOpen
  content.hidden = !isOpen
  sections.hidden = !isOpen
}

const lock = (why: string) => {
  tell(true, '')
  open(false)
  tokenProblem.textContent = why
  tokenValue.focus()
}

const gone = 'The mock does not answer: was it ended? This page keeps trying.'
let turn = 0
let timer: ReturnType<typeof setTimeout> | undefined

const refresh = async (): Promise<void> => {
  clearTimeout(timer)
  const mine = ++turn
  const start = performance.now()
  const seen = await look(overview.chosen).catch((error: unknown) => error)
  // Another look has begun meanwhile, and will know better.
  if (mine !== turn) return
  if (seen instanceof Refusal && seen.status === 401) {
    lock('That is not the token of this mock.')
    return
  }
  if (seen instanceof Refusal) tell(true, seen.message)
  else if (seen instanceof Error) tell(false, gone)
  else {
    tell(true, '')
    open(true)
    show(seen as Seen)
  }
  const tookMs = performance.now() - start
  if (!document.hidden) timer = setTimeout(refresh, Math.max(everyMs, tookMs * restPerLook))
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && token.hidden) void refresh()
})
pause.addEventListener('click', () => {
  pause.ariaPressed = String(!isPaused())
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
  lock('')
} else void refresh()
