import type { AssumptionRow } from '../../assumptions/index.ts'
import { cell, element, fill, find, row, rowHeader } from './elements.ts'

/** How the mock reads what the document leaves open. */
export interface AssumptionPanel {
  show(rows: Readonly<Record<string, AssumptionRow>>, inForce: Readonly<Record<string, unknown>>): void
}

interface Shown {
  readonly key: string
  readonly row: AssumptionRow
  readonly value: unknown
  readonly changed: boolean
}

const written = (value: unknown) => element('code', {}, String(value))

const defaultOf = (of: AssumptionRow): unknown => ('readings' in of ? of.readings[0]?.[0] : of.default)

const meaningOf = (of: AssumptionRow, value: unknown): string =>
  'readings' in of ? (of.readings.find(([reading]) => reading === value)?.[1] ?? '') : of.meaning

const othersOf = ({ row: of, value }: Shown): Node[] => {
  if ('readings' in of) {
    return of.readings
      .filter(([reading]) => reading !== value)
      .map(([reading, meaning]) => element('li', {}, written(reading), element('small', {}, meaning)))
  }
  const upTo = of.max === Number.MAX_SAFE_INTEGER ? `of at least ${of.min}` : `from ${of.min} to ${of.max}`
  const none = of.orNull ? [element('li', {}, written(null), element('small', {}, 'no such limit'))] : []
  return [element('li', {}, `a whole number ${upTo}`), ...(value === null ? [] : none)]
}

const rowOf = (shown: Shown): Element => {
  const { key, row: of, value, changed } = shown
  const badge = changed ? [element('span', { class: 'badge' }, 'changed')] : []
  return row(
    changed ? { class: 'changed' } : {},
    rowHeader(element('code', {}, key), ...badge, element('small', {}, of.question)),
    cell('in force', written(value), element('small', {}, meaningOf(of, value))),
    cell('could be', element('ul', { class: 'readings' }, ...othersOf(shown))),
  )
}

/** Makes the section "Assumptions in force" work. */
export const createAssumptionPanel = (): AssumptionPanel => {
  const onlyChanged = find('only-changed', HTMLInputElement)
  let all: readonly Shown[] = []
  const draw = () => {
    const shown = onlyChanged.checked ? all.filter(({ changed }) => changed) : all
    fill(find('assumption-list', HTMLElement), shown, ({ key, value }) => `${key}=${String(value)}`, rowOf)
    find('no-assumptions', HTMLElement).hidden = shown.length > 0
  }
  onlyChanged.addEventListener('change', draw)
  return {
    show(rows, inForce) {
      all = Object.entries(rows).map(([key, of]) => {
        const value = inForce[key]
        return { key, row: of, value, changed: value !== defaultOf(of) }
      })
      draw()
    },
  }
}
