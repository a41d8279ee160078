/** Creates an element. Children are nodes or text, never HTML: the policy of the page forbids parsing HTML. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value)
  created.append(...children)
  return created
}

/**
 * Finds the element with this id.
 *
 * @throws {TypeError} There is none, or it is of another type.
 */
export const find = <Type extends Element>(id: string, type: new () => Type): Type => {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new TypeError(`The page has no ${type.name} with the id ${id}.`)
}

/** Creates a table row. The explicit roles keep it one for screen readers where a narrow screen turns rows into blocks. */
export const row = (attributes: Readonly<Record<string, string>>, ...cells: readonly Node[]): HTMLElement =>
  element('tr', { role: 'row', ...attributes }, ...cells)

/** Creates a table cell. `label` is shown before its content on a narrow screen, which hides the column headings. */
export const cell = (label: string, ...children: readonly (Node | string)[]): HTMLElement =>
  element('td', { role: 'cell', 'data-label': label }, ...children)

export const rowHeader = (...children: readonly (Node | string)[]): HTMLElement =>
  element('th', { role: 'rowheader', scope: 'row' }, ...children)

const ids = new WeakMap<Element, string>()

/**
 * Updates the children of an element. An item that was there before keeps its element, and with it focus, selection and
 * scroll position.
 */
export const updateList = <Item>(
  list: Element,
  items: readonly Item[],
  idOf: (item: Item) => string,
  create: (item: Item) => Element,
): void => {
  const wanted = new Set(items.map(idOf))
  const existing = new Map<string, Element>()
  for (const child of Array.from(list.children)) {
    const id = ids.get(child)
    if (id === undefined || !wanted.has(id)) child.remove()
    else existing.set(id, child)
  }
  let place = list.firstElementChild
  for (const item of items) {
    const id = idOf(item)
    const child = existing.get(id) ?? create(item)
    ids.set(child, id)
    if (child === place) place = place.nextElementSibling
    else list.insertBefore(child, place)
  }
}
