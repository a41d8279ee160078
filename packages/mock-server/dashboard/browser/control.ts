import type { Api } from './api.ts'
import { find } from './elements.ts'
import { guildPath, messageOf, type ClockBody } from './responses.ts'
import { createTransactions } from './transactions.ts'

/** The section "Data and clock". */
export interface ControlPanel {
  show(guildId: string, clock: ClockBody | undefined): void
}

/** Sets up the section "Data and clock". `onChange` is called after each change. */
export const createControlPanel = (api: Api, onChange: () => void): ControlPanel => {
  const status = find('control-status', HTMLElement)
  const clockForm = find('clock-form', HTMLFormElement)
  const clockToggle = find('clock-toggle', HTMLButtonElement)
  const dialog = find('reset', HTMLDialogElement)
  const valueOf = (id: string) => find(id, HTMLInputElement).value
  let guild = ''
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
  onClick('reset-guild', () => {
    void run('reset-error', 'The guild was reset.', async () => api.request(`${guildPath(guild)}/reset`, 'POST'))
  })
  onClick('reset-all', () => {
    dialog.returnValue = 'cancel'
    dialog.showModal()
  })
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'reset') return
    void run('reset-error', 'Everything was reset.', async () => api.request('reset', 'POST'))
  })

  return {
    show(guildId, current) {
      guild = guildId
      clock = current
      clockForm.hidden = !current
      clockToggle.textContent = current?.frozen ? 'Let the clock run' : 'Stop the clock'
    },
  }
}
