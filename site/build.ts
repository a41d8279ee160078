/** Builds the site, with a Markdown file beside each page. Warnings and links to missing headings are errors. VitePress itself checks links to pages. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { siteFolder } from './serve.ts'

const problems: string[] = []
const { warn } = console
console.warn = (...args: unknown[]) => {
  problems.push(args.join(' '))
  warn(...args)
}
await build(import.meta.dirname)

const source = join(import.meta.dirname, 'out/pages')
for (const page of globSync('**/*.md', { cwd: source })) {
  const text = readFileSync(join(source, page), 'utf8')
  writeFileSync(join(siteFolder, page), text.replace(/^---\n.*?\n---\n\n/s, ''))
}

const base = process.env.SITE_BASE ?? '/'
const pages = new Map(
  globSync('**/*.html', { cwd: siteFolder }).map(
    (file) => [file, readFileSync(join(siteFolder, file), 'utf8')] as const,
  ),
)
const idsOf = (html: string) => new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id))
const ids = new Map([...pages].map(([file, html]) => [file, idsOf(html)] as const))

for (const [file, html] of pages) {
  for (const [, href = ''] of html.matchAll(/ href="([^"]*#[^"]*)"/g)) {
    const { origin, pathname, hash } = new URL(href, `http://site${base}${file}`)
    if (origin !== 'http://site') continue
    const path = decodeURIComponent(pathname.slice(base.length))
    const page = path === '' || path.endsWith('/') ? `${path}index.html` : path
    if (!ids.get(page)?.has(decodeURIComponent(hash.slice(1)))) problems.push(`${file}: missing heading: ${href}`)
  }
}
if (problems.length > 0) throw new Error(`The site has problems:\n${problems.join('\n')}`)
