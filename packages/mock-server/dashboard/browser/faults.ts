import type { ScriptedFault } from '../../src/faults/faults.ts'
import type { Api } from './api.ts'
import { cell, element, find, row, rowHeader, updateList } from './elements.ts'
import { guildPath, messageOf } from './responses.ts'

/** The section "Faults". */
export interface FaultPanel {
  show(guildId: string, faults: readonly ScriptedFault[]): void
}

const maxShown = 20

const parseFields = (text: string): object => {
  const example = 'Further fields must be a JSON object such as { "status": 503 }.'
  if (text.trim() === '') return {}
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch {
    throw new Error(example)
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw new Error(example)
  return fields
}

const createRow = ({ fault, happened, left, waits }: ScriptedFault): HTMLElement => {
  const { kind, ...fields } = fault
  const details = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const rest = left === null ? 'all that follow' : String(left)
  return row(
    {},
    rowHeader(element('code', {}, kind), element('small', {}, details.join(', '))),
    cell('happened', String(happened)),
    cell('still to come', rest, ...(waits > 0 ? [element('small', {}, `after ${waits} more`)] : [])),
  )
}

/** Sets up the section "Faults". `onChange` is called after each change. */
export const createFaultPanel = (api: Api, onChange: () => void): FaultPanel => {
  const kind = find('fault-kind', HTMLSelectElement)
  const endpoint = find('fault-endpoint', HTMLSelectElement)
  const times = find('fault-times', HTMLInputElement)
  const fields = find('fault-fields', HTMLInputElement)
  const error = find('fault-error', HTMLElement)
  const status = find('fault-status', HTMLElement)
  let guild = ''

  const showError = (message: string) => {
    error.textContent = message
    if (message === '') fields.removeAttribute('aria-invalid')
    else fields.setAttribute('aria-invalid', 'true')
  }
  const suggestFields = () => {
    fields.value = kind.selectedOptions[0]?.dataset['fields'] ?? ''
    showError('')
  }
  const change = async (method: string, done: string, body?: () => object) => {
    try {
      await api.request(`${guildPath(guild)}/faults`, method, body?.())
      showError('')
      status.textContent = done
    } catch (cause) {
      showError(messageOf(cause))
      fields.focus()
    }
    onChange()
  }

  kind.addEventListener('change', suggestFields)
  find('fault-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    void change('POST', `The fault ${kind.value} was scripted.`, () => ({
      ...parseFields(fields.value),
      kind: kind.value,
      ...(endpoint.value !== '' && { endpoint: endpoint.value }),
      ...(times.value !== '' && { times: Number(times.value) }),
    }))
  })
  find('faults-clear', HTMLButtonElement).addEventListener(
    'click',
    () => void change('DELETE', 'All faults were removed.'),
  )

  return {
    show(guildId, faults) {
      guild = guildId
      const numbered = faults.map((fault, number) => ({ fault, number })).toReversed()
      updateList(
        find('fault-list', HTMLElement),
        numbered.slice(0, maxShown),
        (one) => JSON.stringify(one),
        ({ fault }) => createRow(fault),
      )
      find('no-faults', HTMLElement).hidden = faults.length > 0
    },
  }
}
