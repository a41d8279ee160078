import type { Api } from './api.ts'
import { find } from './elements.ts'
import { guildPath, messageOf, type ClockBody, type CreatedGuildBody, type GuildBody } from './responses.ts'
import { createTransactions } from './transactions.ts'

/** The section "Data, clock and guild". */
export interface ControlPanel {
  show(guild: GuildBody, clock: ClockBody | undefined): void
}

/** Callbacks for other sections. */
export interface ControlEvents {
  readonly onChange: () => void
  /** Called with a new guild and the value of its key, before `onChange`. */
  readonly onGuildCreated: (guild: CreatedGuildBody) => void
}

/** Sets up the section "Data, clock and guild". */
export const createControlPanel = (api: Api, { onChange, onGuildCreated }: ControlEvents): ControlPanel => {
  const status = find('control-status', HTMLElement)
  const clockForm = find('clock-form', HTMLFormElement)
  const clockToggle = find('clock-toggle', HTMLButtonElement)
  const dialog = find('reset', HTMLDialogElement)
  const subscription = find('guild-subscription', HTMLSelectElement)
  const rateLimit = find('guild-limit', HTMLInputElement)
  const valueOf = (id: string) => find(id, HTMLInputElement).value
  let guild = ''
  /** The guild's own values, as they were shown last: what is being typed stays. */
  let shown = ''
  let clock: ClockBody | undefined

  /** Sends a request and says what it did, or at the place of the error why it did not. */
  const run = async (errorId: string, done: string, request: () => Promise<unknown>) => {
    const error = find(errorId, HTMLElement)
    try {
      await request()
      error.textContent = ''
      status.textContent = done
    } catch (cause) {
      error.textContent = messageOf(cause)
    }
    onChange()
  }
  const onSubmit = (id: string, submit: () => void) =>
    find(id, HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      submit()
    })
  const onClick = (id: string, click: () => void) => find(id, HTMLButtonElement).addEventListener('click', click)

  onSubmit('add-form', () => {
    const count = Number(valueOf('add-count'))
    const added = count === 1 ? '1 transaction was added.' : `${count} transactions were added.`
    void run('add-error', added, async () => {
      const transactions = createTransactions(count, clock ? Date.parse(clock.now) : Date.now(), {
        platformId: valueOf('add-user'),
        source: valueOf('add-source'),
        amount: Number(valueOf('add-amount')),
      })
      return api.request(`${guildPath(guild)}/transactions`, 'POST', transactions)
    })
  })
  onSubmit('clock-form', () => {
    const seconds = Number(valueOf('clock-seconds'))
    void run('clock-error', `The clock was moved forward by ${seconds} s.`, async () =>
      api.request('clock/advance', 'POST', { ms: seconds * 1000 }),
    )
  })
  clockToggle.addEventListener('click', () => {
    const [path, done] = clock?.frozen ? ['clock/resume', 'The clock runs.'] : ['clock/freeze', 'The clock is stopped.']
    void run('clock-error', done, async () => api.request(path, 'POST'))
  })
  onClick('clock-reset', () => {
    void run('clock-error', 'The clock follows the system time.', async () => api.request('clock/reset', 'POST'))
  })
  onSubmit('guild-form', () => {
    const limit = rateLimit.value === 'off' ? 'off' : Number(rateLimit.value)
    void run('guild-error', `${guild} was changed.`, async () =>
      api.request(guildPath(guild), 'PATCH', { subscription: subscription.value, rateLimit: limit }),
    )
  })
  onClick('guild-create', () => {
    void run('guild-error', 'A guild was created and selected. “Try it” has its key.', async () =>
      onGuildCreated((await api.request('guilds', 'POST', {})) as CreatedGuildBody),
    )
  })
  onClick('reset-guild', () => {
    shown = '' // the form shows what the guild then has, whatever was typed
    void run('reset-error', 'The guild was reset.', async () => api.request(`${guildPath(guild)}/reset`, 'POST'))
  })
  onClick('reset-all', () => {
    dialog.returnValue = 'cancel'
    dialog.showModal()
  })
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'reset') return
    shown = ''
    void run('reset-error', 'Everything was reset.', async () => api.request('reset', 'POST'))
  })

  return {
    show(current, currentClock) {
      guild = current.id
      clock = currentClock
      const values = [current.id, current.subscription, current.rateLimit].join(' ')
      if (values !== shown) {
        subscription.value = current.subscription
        rateLimit.value = String(current.rateLimit)
      }
      shown = values
      clockForm.hidden = !clock
      clockToggle.textContent = clock?.frozen ? 'Let the clock run' : 'Stop the clock'
    },
  }
}
