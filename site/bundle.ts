/** Builds the site. A warning, or a link to a heading that is not there, is an error. Links to pages VitePress checks itself. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { built } from './serve.ts'

const wrong: string[] = []
const { warn } = console
console.warn = (...words: unknown[]) => {
  wrong.push(words.join(' '))
  warn(...words)
}
await build(import.meta.dirname)

const base = process.env.SITE_BASE ?? '/'
const texts = new Map(
  globSync('**/*.html', { cwd: built }).map((file) => [file, readFileSync(join(built, file), 'utf8')] as const),
)
const idsOf = (text: string) => new Set(Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id]) => id))
const ids = new Map([...texts].map(([file, text]) => [file, idsOf(text)] as const))

for (const [file, text] of texts) {
  for (const [, href = ''] of text.matchAll(/ href="([^"]*#[^"]*)"/g)) {
    const { origin, pathname, hash } = new URL(href, `http://site${base}${file}`)
    if (origin !== 'http://site') continue
    const path = decodeURIComponent(pathname.slice(base.length))
    const page = path === '' || path.endsWith('/') ? `${path}index.html` : path
    if (!ids.get(page)?.has(decodeURIComponent(hash.slice(1)))) wrong.push(`${file}: no such heading: ${href}`)
  }
}
if (wrong.length > 0) throw new Error(`The site has faults:\n${wrong.join('\n')}`)
