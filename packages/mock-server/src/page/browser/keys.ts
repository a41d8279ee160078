import type { ApiKey, CreatedKey } from '../../store/index.ts'
import type { Api } from './api.ts'
import { copyOnClick } from './copy.ts'
import { cell, element, fill, find, row, rowHeader } from './elements.ts'
import { pathOf, sentenceOf } from './replies.ts'

const monthMs = 30 * 24 * 60 * 60 * 1000

/** The keys of a guild, as a dashboard has them. Spec: Authentication, 3 to 6. */
export interface KeyPanel {
  /** `now` is the time of the mock. */
  show(guildId: string, keys: readonly ApiKey[], now: number): void
}

/** What happens elsewhere when a key comes or goes. */
export interface KeyEvents {
  created(key: CreatedKey): void
  /** `value` only if the key was made here. */
  deleted(value: string | undefined): void
}

/** The day, and in small the minute. */
const shownExpiry = (isoDate: string, expired: boolean): (Node | string)[] => [
  isoDate.slice(0, 10),
  element('small', {}, `${isoDate.slice(11, 16)}${expired ? ', expired' : ''}`),
]

/** Makes the section "Keys" work. */
export const createKeyPanel = (api: Api, events: KeyEvents): KeyPanel => {
  const title = find('keys-title', HTMLElement)
  const list = find('key-list', HTMLElement)
  const news = find('key-news', HTMLElement)
  const problem = find('key-form-problem', HTMLElement)
  const form = find('key-form', HTMLFormElement)
  const name = find('key-name', HTMLInputElement)
  const expiry = find('key-expiry', HTMLInputElement)
  const scope = find('key-scope', HTMLInputElement)
  const created = find('created', HTMLElement)
  const createdTitle = find('created-title', HTMLElement)
  const createdValue = find('created-value', HTMLElement)
  const dialog = find('delete', HTMLDialogElement)
  const values = new Map<string, string>()
  let guild = ''
  let doomed: ApiKey | undefined

  const hideCreated = () => {
    created.hidden = true
    createdValue.textContent = ''
  }
  const ask = (key: ApiKey) => {
    doomed = key
    find('delete-title', HTMLElement).textContent = `Delete the key “${key.name}”?`
    dialog.returnValue = 'keep'
    dialog.showModal()
  }
  const remove = async ({ id, name: removed }: ApiKey) => {
    problem.textContent = ''
    try {
      await api.ask(`${pathOf(guild)}/keys/${encodeURIComponent(id)}`, 'DELETE')
    } catch (error) {
      problem.textContent = sentenceOf(error)
      return
    }
    const value = values.get(id)
    if (value === createdValue.textContent) hideCreated()
    values.delete(id)
    news.textContent = `The key “${removed}” was deleted.`
    events.deleted(value)
    title.focus()
  }
  const create = async () => {
    problem.textContent = ''
    const scopes = scope.checked ? ['guild:read'] : []
    try {
      const expiresAt = new Date(`${expiry.value}Z`).toISOString()
      const details = { name: name.value, scopes, expiresAt }
      const key = (await api.ask(`${pathOf(guild)}/keys`, 'POST', details)) as CreatedKey
      values.set(key.id, key.value)
      createdTitle.textContent = `The key “${key.name}” was created`
      createdValue.textContent = key.value
      created.hidden = false
      name.value = ''
      events.created(key)
      createdTitle.focus()
    } catch (error) {
      problem.textContent = sentenceOf(error)
      name.focus()
    }
  }

  const rowOf = (key: ApiKey, expired: boolean): Element => {
    const button = element('button', { type: 'button', 'aria-label': `Delete the key ${key.name}` }, 'Delete')
    button.addEventListener('click', () => ask(key))
    return row(
      {},
      rowHeader(key.name, element('small', {}, key.id)),
      cell('may', element('code', {}, key.scopes.join(', ') || 'nothing')),
      cell('until', ...shownExpiry(key.expiresAt, expired)),
      cell('', button),
    )
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void create()
  })
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'delete' && doomed) void remove(doomed)
  })
  find('created-done', HTMLButtonElement).addEventListener('click', () => {
    hideCreated()
    title.focus()
  })
  copyOnClick(find('created-copy', HTMLButtonElement), () => createdValue)

  return {
    show(guildId, keys, now) {
      if (guildId !== guild) hideCreated()
      guild = guildId
      if (expiry.value === '') expiry.value = new Date(now + monthMs).toISOString().slice(0, 16)
      const expired = ({ expiresAt }: ApiKey) => Date.parse(expiresAt) <= now
      fill(
        list,
        keys,
        (key) => `${key.id} ${expired(key)}`,
        (key) => rowOf(key, expired(key)),
      )
      find('no-keys', HTMLElement).hidden = keys.length > 0
    },
  }
}
