import type { ApiKey, CreatedKey } from '../../src/store/keys.ts'
import type { Api } from './api.ts'
import { copyOnClick } from './copy.ts'
import { cell, element, find, row, rowHeader, updateList } from './elements.ts'
import { guildPath, messageOf } from './responses.ts'

const defaultLifetimeMs = 30 * 24 * 60 * 60 * 1000

/** The section "Keys", like that of the service's web dashboard. Spec: Authentication, 3 to 6. */
export interface KeyPanel {
  /** `now` is the time of the mock server. */
  show(guildId: string, keys: readonly ApiKey[], now: number): void
}

/** Callbacks for other sections. */
export interface KeyEvents {
  onCreated(key: CreatedKey): void
  /** `value` is known only for a key that was created on this page. */
  onDeleted(value: string | undefined): void
}

/** The date, and in small print the time. */
const expiryNodes = (isoDate: string, expired: boolean): (Node | string)[] => [
  isoDate.slice(0, 10),
  element('small', {}, `${isoDate.slice(11, 16)}${expired ? ', expired' : ''}`),
]

/** Sets up the section "Keys". */
export const createKeyPanel = (api: Api, events: KeyEvents): KeyPanel => {
  const title = find('keys-title', HTMLElement)
  const list = find('key-list', HTMLElement)
  const announcement = find('key-announcement', HTMLElement)
  const error = find('key-form-error', HTMLElement)
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
  let keyToDelete: ApiKey | undefined

  const hideCreated = () => {
    created.hidden = true
    createdValue.textContent = ''
  }
  const confirmDelete = (key: ApiKey) => {
    keyToDelete = key
    find('delete-title', HTMLElement).textContent = `Delete the key “${key.name}”?`
    dialog.returnValue = 'cancel'
    dialog.showModal()
  }
  const deleteKey = async ({ id, name: deletedName }: ApiKey) => {
    error.textContent = ''
    try {
      await api.request(`${guildPath(guild)}/keys/${encodeURIComponent(id)}`, 'DELETE')
    } catch (cause) {
      error.textContent = messageOf(cause)
      return
    }
    const value = values.get(id)
    if (value === createdValue.textContent) hideCreated()
    values.delete(id)
    announcement.textContent = `The key “${deletedName}” was deleted.`
    events.onDeleted(value)
    title.focus()
  }
  const createKey = async () => {
    error.textContent = ''
    const scopes = scope.checked ? ['guild:read'] : []
    try {
      const expiresAt = new Date(`${expiry.value}Z`).toISOString()
      const details = { name: name.value, scopes, expiresAt }
      const key = (await api.request(`${guildPath(guild)}/keys`, 'POST', details)) as CreatedKey
      values.set(key.id, key.value)
      createdTitle.textContent = `The key “${key.name}” was created`
      createdValue.textContent = key.value
      created.hidden = false
      name.value = ''
      events.onCreated(key)
      createdTitle.focus()
    } catch (cause) {
      error.textContent = messageOf(cause)
      name.focus()
    }
  }

  const createRow = (key: ApiKey, expired: boolean): Element => {
    const button = element('button', { type: 'button', 'aria-label': `Delete the key ${key.name}` }, 'Delete')
    button.addEventListener('click', () => confirmDelete(key))
    return row(
      {},
      rowHeader(key.name, element('small', {}, key.id)),
      cell('scopes', element('code', {}, key.scopes.join(', ') || 'none')),
      cell('expires', ...expiryNodes(key.expiresAt, expired)),
      cell('', button),
    )
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void createKey()
  })
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'delete' && keyToDelete) void deleteKey(keyToDelete)
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
      if (expiry.value === '') expiry.value = new Date(now + defaultLifetimeMs).toISOString().slice(0, 16)
      const isExpired = ({ expiresAt }: ApiKey) => Date.parse(expiresAt) <= now
      updateList(
        list,
        keys,
        (key) => `${key.id} ${isExpired(key)}`,
        (key) => createRow(key, isExpired(key)),
      )
      find('no-keys', HTMLElement).hidden = keys.length > 0
    },
  }
}
