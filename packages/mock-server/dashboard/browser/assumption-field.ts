import type { AssumptionDefinition } from '../../src/assumptions/definition.ts'
import { element } from './elements.ts'

/** A form field that shows the value of an assumption and lets it be changed. */
export interface AssumptionField {
  readonly field: HTMLElement
  /** Says why a value was rejected; an empty string removes the message. */
  readonly error: HTMLElement
  readonly show: (value: unknown) => void
  /** Shows why the value in the field was rejected, next to it. The value stays until it is corrected. */
  readonly showError: (message: string) => void
}

/** The message of a field, and the function that connects both. */
const createMessage = (name: string, field: HTMLElement): Pick<AssumptionField, 'error' | 'showError'> => {
  const error = element('p', { class: 'error', role: 'alert', id: `error-of-${name}` })
  field.setAttribute('aria-describedby', error.id)
  return {
    error,
    showError(message) {
      error.textContent = message
      if (message === '') field.removeAttribute('aria-invalid')
      else field.setAttribute('aria-invalid', 'true')
    },
  }
}

const createSelect = (
  name: string,
  values: readonly unknown[],
  onChange: (value: unknown) => void,
): AssumptionField => {
  const options = values.map((value, i) => element('option', { value: String(i) }, String(value)))
  const field = element('select', { 'aria-label': name }, ...options)
  field.addEventListener('change', () => onChange(values[Number(field.value)]))
  return {
    field,
    ...createMessage(name, field),
    show(value) {
      field.value = String(values.indexOf(value))
    },
  }
}

const createNumberInput = (
  name: string,
  min: number,
  max: number,
  onChange: (value: unknown) => void,
): AssumptionField => {
  const limits = { min: String(min), max: String(max), step: '1', placeholder: 'null' }
  const field = element('input', { type: 'number', 'aria-label': name, ...limits })
  field.addEventListener('change', () => onChange(field.value === '' ? null : Number(field.value)))
  const message = createMessage(name, field)
  return {
    field,
    ...message,
    show(value) {
      // Does not overwrite a number that is being typed, or that has to be corrected.
      if (document.activeElement !== field && message.error.textContent === '')
        field.value = typeof value === 'number' ? String(value) : ''
    },
  }
}

/** Creates the field of an assumption. `onChange` gets the new value, whether or not it is allowed. */
export const createAssumptionField = (
  name: string,
  definition: AssumptionDefinition,
  onChange: (value: unknown) => void,
): AssumptionField =>
  'values' in definition
    ? createSelect(
        name,
        definition.values.map(([value]) => value),
        onChange,
      )
    : createNumberInput(name, definition.min, definition.max, onChange)
