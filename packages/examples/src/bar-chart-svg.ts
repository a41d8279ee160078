// A bar chart as an SVG file, by hand: small, sharp at any size, read aloud by screen readers, fine in light and dark.

/** Bars under a heading. */
export interface Part {
  readonly heading: string
  readonly rows: readonly (readonly [name: string, value: number])[]
}

const width = 640
const row = 26
const left = 210
const room = width - left - 110

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Names come from users: as text, never as markup, and without characters that XML forbids. */
const text = (value: string): string =>
  value
    .replaceAll(/[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

/** Long names lose their end, by what people take for characters: no flag or family is cut in two. */
const short = (name: string): string => {
  const characters = Array.from(new Intl.Segmenter('en').segment(name), ({ segment }) => segment)
  return text(characters.length > 22 ? `${characters.slice(0, 21).join('')}…` : name)
}

const amount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })

// Colours have at least 4.5 to 1 on their background for text, 3 to 1 for bars.
const style = `
  .paper { fill: #ffffff } .bar { fill: #4f6bd8 } text { fill: #1c1e26; font: 14px system-ui, sans-serif }
  .title { font-size: 18px; font-weight: 600 } .heading { font-weight: 600 } .name { text-anchor: end }
  @media (prefers-color-scheme: dark) { .paper { fill: #16181d } .bar { fill: #8ea2ff } text { fill: #e8eaf0 } }
`

const bars = ({ heading, rows }: Part, top: number): string => {
  // A refund or an empty ledger must not draw bars of negative or infinite length.
  const largest = Math.max(Number.MIN_VALUE, ...rows.map(([, value]) => value))
  const lines = rows.map(([name, value], i) => {
    const y = top + row * (i + 1)
    const length = Math.max(1, Math.round((Math.max(0, value) / largest) * room))
    return `  <text class="name" x="${left - 10}" y="${y + 17}">${short(name)}</text>
  <rect class="bar" x="${left}" y="${y + 4}" width="${length}" height="${row - 8}" rx="3"/>
  <text x="${left + length + 8}" y="${y + 17}">${amount(value)}</text>`
  })
  return [`  <text class="heading" x="24" y="${top + 17}">${text(heading)}</text>`, ...lines].join('\n')
}

/** What a screen reader says of it. */
const inWords = (parts: readonly Part[]): string =>
  parts
    .map(({ heading, rows }) => `${heading}: ${rows.map(([name, value]) => `${name} ${amount(value)}`).join(', ')}`)
    .join('. ')

/** Draws the parts below each other. */
export const barChartSvg = (title: string, parts: readonly Part[]): string => {
  const tops = parts.map((_, i) => 60 + parts.slice(0, i).reduce((sum, { rows }) => sum + row * (rows.length + 2), 0))
  const height = 60 + parts.reduce((sum, { rows }) => sum + row * (rows.length + 2), 0)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
  <title id="title">${text(title)}</title>
  <desc id="description">${text(inWords(parts))}</desc>
  <style>${style}</style>
  <rect class="paper" width="${width}" height="${height}" rx="12"/>
  <text class="title" x="24" y="38">${text(title)}</text>
${parts.map((part, i) => bars(part, tops[i] ?? 0)).join('\n')}
</svg>
`
}
