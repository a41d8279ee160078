import type { AssumptionRow } from '../../assumptions/index.ts'
import { cell, element, fill, find, row, rowHeader } from './elements.ts'
import { readingField } from './reading.ts'

/** How the mock reads what the document leaves open. */
export interface AssumptionPanel {
  show(rows: Readonly<Record<string, AssumptionRow>>, inForce: Readonly<Record<string, unknown>>): void
  /** Says why a change was refused; an empty text takes that back. */
  complain(why: string): void
}

interface Shown {
  readonly key: string
  readonly row: AssumptionRow
  readonly value: unknown
}

/** A line of the table. It stays when its reading changes, so that the focus stays in it. */
interface Line {
  readonly line: HTMLElement
  show(value: unknown): void
}

const written = (value: unknown) => element('code', {}, String(value))

const isDefault = (of: AssumptionRow, value: unknown): boolean =>
  value === ('readings' in of ? of.readings[0]?.[0] : of.default)

const meaningOf = (of: AssumptionRow, value: unknown): string => {
  if ('readings' in of) return of.readings.find(([reading]) => reading === value)?.[1] ?? ''
  return value === null ? 'no such limit' : of.meaning
}

const reading = (value: unknown, meaning: string) => element('li', {}, written(value), element('small', {}, meaning))

const othersThan = (value: unknown, of: AssumptionRow): Node[] => {
  if ('readings' in of) {
    return of.readings.flatMap(([other, meaning]) => (other === value ? [] : [reading(other, meaning)]))
  }
  const upTo = of.max === Number.MAX_SAFE_INTEGER ? `of at least ${of.min}` : `from ${of.min} to ${of.max}`
  const number = element('li', {}, `a whole number ${upTo}`, element('small', {}, of.meaning))
  return of.orNull && value !== null ? [number, reading(null, 'no such limit')] : [number]
}

const lineOf = ({ key, row: of }: Shown, choose: (value: unknown) => void): Line => {
  const { field, show } = readingField(key, of, choose)
  const badge = element('span', { class: 'badge' }, 'changed')
  const meaning = element('small')
  const others = element('ul', { class: 'readings' })
  const line = row(
    {},
    rowHeader(element('code', {}, key), badge, element('small', {}, of.question)),
    cell('', field, meaning),
    cell('could be', others),
  )
  return {
    line,
    show(value) {
      show(value)
      line.classList.toggle('changed', !isDefault(of, value))
      badge.hidden = isDefault(of, value)
      meaning.textContent = meaningOf(of, value)
      others.replaceChildren(...othersThan(value, of))
    },
  }
}

/** Makes the section "Assumptions in force" work. `change` is told what is picked. */
export const createAssumptionPanel = (change: (key: string, value: unknown) => void): AssumptionPanel => {
  const onlyChanged = find('only-changed', HTMLInputElement)
  const problem = find('assumption-problem', HTMLElement)
  const lines = new Map<string, Line>()
  let all: readonly Shown[] = []
  const draw = () => {
    // The one that is being changed does not vanish under the hand.
    const isHeld = ({ key }: Shown) => lines.get(key)?.line.contains(document.activeElement) ?? false
    const shown = all.filter((one) => !onlyChanged.checked || !isDefault(one.row, one.value) || isHeld(one))
    fill(
      find('assumption-list', HTMLElement),
      shown,
      ({ key }) => key,
      (one) => {
        const made = lines.get(one.key) ?? lineOf(one, (value) => change(one.key, value))
        lines.set(one.key, made)
        return made.line
      },
    )
    for (const { key, value } of shown) lines.get(key)?.show(value)
    find('no-assumptions', HTMLElement).hidden = shown.length > 0
  }
  onlyChanged.addEventListener('change', draw)
  return {
    show(rows, inForce) {
      const before = JSON.stringify(all)
      all = Object.entries(rows).map(([key, of]) => ({ key, row: of, value: inForce[key] }))
      if (JSON.stringify(all) !== before) draw()
    },
    complain(why) {
      problem.textContent = why
      if (why !== '') draw()
    },
  }
}
