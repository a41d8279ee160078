import type { AssumptionDefinition } from '../../src/assumptions/definition.ts'
import { createAssumptionField } from './assumption-field.ts'
import { cell, element, find, row, rowHeader, updateList } from './elements.ts'

/** The section "Assumptions". */
export interface AssumptionPanel {
  show(definitions: Readonly<Record<string, AssumptionDefinition>>, values: Readonly<Record<string, unknown>>): void
  /** Shows at its field why a change was rejected; an empty string removes the message. */
  showError(key: string, message: string): void
}

interface Assumption {
  readonly key: string
  readonly definition: AssumptionDefinition
  readonly value: unknown
}

/** A table row. It is kept when its value changes, so that it keeps the focus. */
interface TableRow {
  readonly row: HTMLElement
  show(value: unknown): void
  showError(message: string): void
  readonly hasError: () => boolean
}

const code = (value: unknown) => element('code', {}, String(value))

const isDefault = (definition: AssumptionDefinition, value: unknown): boolean =>
  value === ('values' in definition ? definition.values[0]?.[0] : definition.default)

const describe = (definition: AssumptionDefinition, value: unknown): string => {
  if ('values' in definition) return definition.values.find(([one]) => one === value)?.[1] ?? ''
  return value === null ? 'no limit' : definition.meaning
}

const listItem = (value: unknown, meaning: string) => element('li', {}, code(value), element('small', {}, meaning))

const otherValues = (definition: AssumptionDefinition, current: unknown): Node[] => {
  if ('values' in definition) {
    return definition.values.flatMap(([value, meaning]) => (value === current ? [] : [listItem(value, meaning)]))
  }
  const { min, max, orNull, meaning } = definition
  const range = max === Number.MAX_SAFE_INTEGER ? `≥ ${min}` : `from ${min} to ${max}`
  const number = element('li', {}, `an integer ${range}`, element('small', {}, meaning))
  return orNull && current !== null ? [number, listItem(null, 'no limit')] : [number]
}

const createRow = ({ key, definition }: Assumption, onChange: (value: unknown) => void): TableRow => {
  const { field, error, show, showError } = createAssumptionField(key, definition, onChange)
  const badge = element('span', { class: 'badge' }, 'changed')
  const meaning = element('small')
  const others = element('ul', { class: 'values' })
  const tableRow = row(
    {},
    rowHeader(element('code', {}, key), badge, element('small', {}, definition.question)),
    cell('', field, error, meaning),
    cell('or', others),
  )
  return {
    row: tableRow,
    showError,
    hasError: () => error.textContent !== '',
    show(value) {
      show(value)
      tableRow.classList.toggle('changed', !isDefault(definition, value))
      badge.hidden = isDefault(definition, value)
      meaning.textContent = describe(definition, value)
      others.replaceChildren(...otherValues(definition, value))
    },
  }
}

/** Sets up the section "Assumptions". `onChange` is called when a value is chosen. */
export const createAssumptionPanel = (onChange: (key: string, value: unknown) => void): AssumptionPanel => {
  const onlyChanged = find('only-changed', HTMLInputElement)
  const rows = new Map<string, TableRow>()
  let assumptions: readonly Assumption[] = []
  const render = () => {
    // A row that has the focus or an error stays visible while its value is being changed.
    const hasFocus = ({ key }: Assumption) => rows.get(key)?.row.contains(document.activeElement) ?? false
    const hasError = ({ key }: Assumption) => rows.get(key)?.hasError() ?? false
    const visible = assumptions.filter(
      (one) => !onlyChanged.checked || !isDefault(one.definition, one.value) || hasFocus(one) || hasError(one),
    )
    updateList(
      find('assumption-list', HTMLElement),
      visible,
      ({ key }) => key,
      (one) => {
        const created = rows.get(one.key) ?? createRow(one, (value) => onChange(one.key, value))
        rows.set(one.key, created)
        return created.row
      },
    )
    for (const { key, value } of visible) rows.get(key)?.show(value)
    find('no-assumptions', HTMLElement).hidden = visible.length > 0
    const changed = assumptions.filter(({ definition, value }) => !isDefault(definition, value)).length
    find('assumptions-changed', HTMLElement).textContent = changed === 0 ? '' : `${changed} changed`
  }
  onlyChanged.addEventListener('change', render)
  return {
    show(definitions, values) {
      const before = JSON.stringify(assumptions)
      assumptions = Object.entries(definitions).map(([key, definition]) => ({ key, definition, value: values[key] }))
      if (JSON.stringify(assumptions) !== before) render()
    },
    showError(key, message) {
      rows.get(key)?.showError(message)
    },
  }
}
