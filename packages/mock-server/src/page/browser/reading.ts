import type { AssumptionRow } from '../../assumptions/index.ts'
import { element } from './elements.ts'

/** Where a reading is shown and can be changed. */
export interface ReadingField {
  readonly field: HTMLElement
  readonly show: (value: unknown) => void
}

const choiceOf = (name: string, readings: readonly unknown[], choose: (value: unknown) => void): ReadingField => {
  const options = readings.map((value, i) => element('option', { value: String(i) }, String(value)))
  const field = element('select', { 'aria-label': name }, ...options)
  field.addEventListener('change', () => choose(readings[Number(field.value)]))
  return {
    field,
    show(value) {
      field.value = String(readings.indexOf(value))
    },
  }
}

const amountOf = (name: string, min: number, max: number, choose: (value: unknown) => void): ReadingField => {
  const limits = { min: String(min), max: String(max), step: '1', placeholder: 'null' }
  const field = element('input', { type: 'number', 'aria-label': name, ...limits })
  field.addEventListener('change', () => choose(field.value === '' ? null : Number(field.value)))
  return {
    field,
    show(value) {
      // Not while a number is being typed.
      if (document.activeElement !== field) field.value = typeof value === 'number' ? String(value) : ''
    },
  }
}

/** A field for a row of assumptions. `choose` takes what is picked, whether or not it is allowed. */
export const readingField = (name: string, row: AssumptionRow, choose: (value: unknown) => void): ReadingField =>
  'readings' in row
    ? choiceOf(
        name,
        row.readings.map(([value]) => value),
        choose,
      )
    : amountOf(name, row.min, row.max, choose)
