import { SweepInputError } from '../input-error.ts'

/** An element of an XML document, with its text and its child elements. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
  /** Whether the text ends before the element does. */
  readonly isCut: boolean
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
  isCut: boolean
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name,
      unescaped(double ?? single ?? ''),
    ]),
  )

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>]*>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy

/**
 * Parses XML as far as test reports need it: elements, attributes, text, CDATA, entities. With `mayBeCut`, the end of
 * the text may be missing.
 *
 * @throws {SweepInputError} The text is not XML; the message names the file.
 */
export const parseXml = (xml: string, file: string, mayBeCut = false): XmlElement => {
  const notXml = () => new SweepInputError(`${file} is not XML: the test runner has to write JUnit XML there.`)
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '', isCut: false }
  const open: OpenElement[] = [root]
  let end = 0
  for (const match of xml.trim().matchAll(token)) {
    const [whole, cdata, closing, name, attributes = '', empty, text] = match
    const current = open.at(-1) ?? root
    end = match.index + whole.length
    if (name !== undefined) {
      const element: OpenElement = { name, attributes: attributesIn(attributes), children: [], text: '', isCut: false }
      current.children.push(element)
      if (!empty) open.push(element)
    } else if (closing !== undefined) {
      if (open.length === 1 || open.pop()?.name !== closing) throw notXml()
    } else if (open.length > 1) current.text += cdata ?? unescaped(text ?? '')
    else if (text?.trim()) throw notXml()
  }
  const [top] = root.children
  const isCut = end < xml.trim().length || open.length > 1
  if ((isCut && !mayBeCut) || !top || root.children.length > 1) throw notXml()
  for (const element of open) element.isCut = true
  return top
}
