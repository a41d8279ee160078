/**
 * Makes an element. What comes from data goes in as text: nothing on this page reads HTML, and the page's policy
 * forbids it.
 */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * The element of the page with this id.
 *
 * @throws {TypeError} There is none, or one of another kind.
 */
export const find = <Kind extends Element>(id: string, kind: new () => Kind): Kind => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${kind.name} with the id ${id}.`)
}

/** Roles are said aloud: on a narrow screen the rows are no table to the browser, but still one to who listens. */
export const row = (attributes: Readonly<Record<string, string>>, ...cells: readonly Node[]): HTMLElement =>
  element('tr', { role: 'row', ...attributes }, ...cells)

/** A cell; on a narrow screen, where it has no column heading above it, `label` stands before it. */
export const cell = (label: string, ...children: readonly (Node | string)[]): HTMLElement =>
  element('td', { role: 'cell', 'data-label': label }, ...children)

export const rowHeader = (...children: readonly (Node | string)[]): HTMLElement =>
  element('th', { role: 'rowheader', scope: 'row' }, ...children)

const ids = new WeakMap<Element, string>()

/**
 * Makes a list hold these items. An item that was there already keeps its element, and with it the focus, what is
 * selected and where the page stands.
 */
export const fill = <Item>(
  list: Element,
  items: readonly Item[],
  idOf: (item: Item) => string,
  make: (item: Item) => Element,
): void => {
  const wanted = new Set(items.map(idOf))
  const there = new Map<string, Element>()
  for (const child of Array.from(list.children)) {
    const id = ids.get(child)
    if (id === undefined || !wanted.has(id)) child.remove()
    else there.set(id, child)
  }
  let place = list.firstElementChild
  for (const item of items) {
    const id = idOf(item)
    const child = there.get(id) ?? make(item)
    ids.set(child, id)
    if (child === place) place = place.nextElementSibling
    else list.insertBefore(child, place)
  }
}
