// Draw a bar chart as an SVG file without a library: accessible to screen readers, for light and dark backgrounds.

/** Bars under a heading. */
export interface Section {
  readonly heading: string
  readonly rows: readonly (readonly [name: string, value: number])[]
}

const width = 640
const rowHeight = 26
const left = 210
const maxBarLength = width - left - 110

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes names, which come from users, and replaces characters that XML forbids. */
const escape = (value: string): string =>
  value
    .replaceAll(/[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

/** Shortens long names without splitting emoji and other composed characters. */
const shorten = (name: string): string => {
  const characters = Array.from(new Intl.Segmenter('en').segment(name), ({ segment }) => segment)
  return escape(characters.length > 22 ? `${characters.slice(0, 21).join('')}…` : name)
}

const formatNumber = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })

// Contrast to the background: at least 4.5 to 1 for text, 3 to 1 for bars.
const style = `
  .paper { fill: #ffffff } .bar { fill: #4f6bd8 } text { fill: #1c1e26; font: 14px system-ui, sans-serif }
  .title { font-size: 18px; font-weight: 600 } .heading { font-weight: 600 } .name { text-anchor: end }
  @media (prefers-color-scheme: dark) { .paper { fill: #16181d } .bar { fill: #8ea2ff } text { fill: #e8eaf0 } }
`

const drawSection = ({ heading, rows }: Section, top: number): string => {
  // Refunds and empty ledgers must not lead to bars of negative or infinite length.
  const largest = Math.max(Number.MIN_VALUE, ...rows.map(([, value]) => value))
  const lines = rows.map(([name, value], i) => {
    const y = top + rowHeight * (i + 1)
    const length = Math.max(1, Math.round((Math.max(0, value) / largest) * maxBarLength))
    return `  <text class="name" x="${left - 10}" y="${y + 17}">${shorten(name)}</text>
  <rect class="bar" x="${left}" y="${y + 4}" width="${length}" height="${rowHeight - 8}" rx="3"/>
  <text x="${left + length + 8}" y="${y + 17}">${formatNumber(value)}</text>`
  })
  return [`  <text class="heading" x="24" y="${top + 17}">${escape(heading)}</text>`, ...lines].join('\n')
}

/** The description for screen readers. */
const describe = (sections: readonly Section[]): string =>
  sections
    .map(
      ({ heading, rows }) => `${heading}: ${rows.map(([name, value]) => `${name} ${formatNumber(value)}`).join(', ')}`,
    )
    .join('. ')

/** Draws the sections below each other. */
export const barChartSvg = (title: string, sections: readonly Section[]): string => {
  const tops = sections.map(
    (_, i) => 60 + sections.slice(0, i).reduce((sum, { rows }) => sum + rowHeight * (rows.length + 2), 0),
  )
  const height = 60 + sections.reduce((sum, { rows }) => sum + rowHeight * (rows.length + 2), 0)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
  <title id="title">${escape(title)}</title>
  <desc id="description">${escape(describe(sections))}</desc>
  <style>${style}</style>
  <rect class="paper" width="${width}" height="${height}" rx="12"/>
  <text class="title" x="24" y="38">${escape(title)}</text>
${sections.map((section, i) => drawSection(section, tops[i] ?? 0)).join('\n')}
</svg>
`
}
