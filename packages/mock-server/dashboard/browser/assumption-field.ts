import type { AssumptionDefinition } from '../../src/assumptions/index.ts'
import { element } from './elements.ts'

/** A form field that shows the value of an assumption and lets it be changed. */
export interface AssumptionField {
  readonly field: HTMLElement
  readonly show: (value: unknown) => void
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
  return {
    field,
    show(value) {
      // Does not overwrite a number that is being typed.
      if (document.activeElement !== field) field.value = typeof value === 'number' ? String(value) : ''
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
