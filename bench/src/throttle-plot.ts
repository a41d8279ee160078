interface Plotted {
  readonly name: string
  readonly arrivals: readonly number[]
}

const width = 760
const left = 46
const panelHeight = 124
const shownMs = 15_000
const most = 20

const x = (ms: number) => (left + (ms / shownMs) * (width - left - 16)).toFixed(1)

/** Arrivals in the second that ends at each moment: a step up at an arrival, a step down a second later. */
const steps = (arrivals: readonly number[], y: (count: number) => string): string => {
  const first = Math.min(...arrivals)
  const changes = arrivals
    .flatMap((time) => [
      { at: time - first, by: 1 },
      { at: time - first + 1000, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.by - b.by)
  let count = 0
  const path = [`M${x(0)} ${y(0)}`]
  for (const { at, by } of changes) {
    if (at > shownMs) break
    count += by
    path.push(`H${x(at)}V${y(count)}`)
  }
  return `${path.join('')}H${x(shownMs)}`
}

const panel = ({ name, arrivals }: Plotted, i: number): string => {
  const bottom = 72 + (i + 1) * panelHeight - 34
  const y = (count: number) => (bottom - (count / most) * 74).toFixed(1)
  const line = steps(arrivals, y)
  return `<g><text class="name" x="${left}" y="${bottom - 86}">${name}</text>
<clipPath id="over${i}"><rect x="0" y="0" width="${width}" height="${Number(y(10)) - 1}"/></clipPath>
<path class="line" d="${line}"/><path class="line over" clip-path="url(#over${i})" d="${line}"/>
<line class="limit" x1="${left}" y1="${y(10)}" x2="${width - 16}" y2="${y(10)}"/>
${[0, 10, 20].map((count) => `<text class="tick" text-anchor="end" x="${left - 6}" y="${Number(y(count)) + 4}">${count}</text>`).join('')}</g>`
}

/** Draws how many requests arrived in each sliding second, one panel for each throttle. */
export const plot = (runs: readonly Plotted[], network: string): string => {
  const height = 72 + runs.length * panelHeight + 12
  const seconds = [0, 5, 10, 15]
    .map((s) => `<text class="tick" text-anchor="middle" x="${x(s * 1000)}" y="${height - 22}">${s} s</text>`)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">Requests that arrived in each sliding second, ${network} ms each way</title>
<style>svg{--ink:#1f2328;--soft:#59636e;--paper:#fff;--line:#3b6fb6;--over:#c4372c}
@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9da7b3;--paper:#0d1117;--line:#79b0f2;--over:#ff7b72}}
text{font:13px system-ui,sans-serif;fill:var(--ink)}.name{font-weight:600}.tick{font-size:11px;fill:var(--soft)}
.line{fill:none;stroke:var(--line);stroke-width:1.4}.over{stroke:var(--over);stroke-width:2.2}.limit{stroke:var(--soft);stroke-dasharray:4 4}</style>
<rect width="${width}" height="${height}" fill="var(--paper)"/>
<text x="${left}" y="26" style="font-size:15px;font-weight:600">Requests that arrived in the second before, as the service saw them</text>
<text x="${left}" y="46" class="tick">${network} ms each way, measured over HTTP; dashed: ten, the limit; red: above it</text>
${runs.map(panel).join('\n')}
${seconds}
</svg>
`
}
