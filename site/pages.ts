/** Gathers the pages of the site: guides, READMEs, examples as they stand, and the reference that TypeDoc has written. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { deadLinks, documents, fileBehind, root, withLinks } from './links.ts'

const out = join(import.meta.dirname, 'out')
const pages = join(out, 'pages')
const languages: Record<string, string> = { '.ts': 'ts', '.cjs': 'js', '.js': 'js', '.py': 'python', '.html': 'html' }

const examples = globSync('packages/examples/src/*', { cwd: root }).filter(
  (file) => extname(file) in languages && !file.endsWith('.test.ts'),
)

/** Where a file of the repository stands on the site. */
const places = new Map<string, string>([
  ['README.md', 'index.md'],
  ...documents.filter((file) => file.startsWith('docs/')).map((file) => [file, file.slice('docs/'.length)] as const),
  ...['sdk', 'mock-server'].map((name) => [`packages/${name}/README.md`, `packages/${name}.md`] as const),
  ['packages/examples/README.md', 'examples/index.md'],
  ...examples.map((file) => [file, `examples/${basename(file)}.md`] as const),
  ['bench/README.md', 'bench.md'],
  ...documents
    .filter((file) => !file.includes('/') && file !== 'README.md')
    .map((file) => [file, `project/${file.toLowerCase()}`] as const),
])
const folders: Record<string, string> = {
  docs: 'index.md',
  'docs/decisions': 'decisions/index.md',
  'packages/sdk': 'packages/sdk.md',
  'packages/mock-server': 'packages/mock-server.md',
  'packages/examples': 'examples/index.md',
  bench: 'bench.md',
}

/** The decisions, each with the first line of its context: a page of its own on the site, a folder on a code host. */
const decisions = (): string => {
  const rows = documents
    .filter((file) => file.startsWith('docs/decisions/'))
    .map((file) => `- [${/^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]}](./${basename(file)})`)
  return `# Decisions\n\nHalf a page for each choice that a newcomer would question.\n\n${rows.join('\n')}\n`
}

/** What is not on the site is named without a link: the site does not know where the repository is kept. */
const unlinked = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\(nowhere\)/g, '$1')

/** Badges come from elsewhere. The site asks for nothing from elsewhere. */
const withoutBadges = (markdown: string): string =>
  markdown.replaceAll(/\[?!\[[^\]]*\]\(https:[^)]*\)(?:\]\([^)]*\))?[ \n]?/g, '')

const moved = (document: string, markdown: string): string => {
  const place = places.get(document) ?? ''
  const from = dirname(place)
  const changed = withLinks(withoutBadges(markdown), (target) => {
    const behind = fileBehind(document, target)
    if (!behind) return target
    const { file, heading } = behind
    if (file.startsWith('docs/pictures/')) return relative(from, file.slice('docs/'.length))
    const page = places.get(file) ?? folders[file.replace(/\/$/, '')]
    if (page === undefined) return 'nowhere'
    const path = relative(from, page)
    return `${path.startsWith('.') ? path : `./${path}`}${heading}`
  })
  return unlinked(changed)
}

const write = (place: string, markdown: string) => {
  const file = join(pages, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, markdown)
}

/** An example as a page: the comment it begins with is the introduction. */
const exampleOf = (file: string): string => {
  const text = readFileSync(join(root, file), 'utf8').trimEnd()
  const [comment = ''] = /^(?:(?:\/\/|#)(?!!).*\n)*/.exec(text) ?? []
  const words = comment.replaceAll(/^(?:\/\/|#) ?/gm, '').trim()
  const [said = '', ...commands] = words.split('\n\n')
  const shown = commands.map((command) => `\`\`\`sh\n${command}\n\`\`\``)
  const code = `\`\`\`${languages[extname(file)]}\n${text.slice(comment.length).trim()}\n\`\`\``
  const parts = [
    `# ${basename(file)}`,
    said,
    ...shown,
    code,
    'One of [the examples](./index.md), each of which runs as a test.',
  ]
  return `---\naside: false\n---\n\n${parts.join('\n\n')}\n`
}

/** Types that the entries use, under a heading that says what they are. */
const explainNotExported = (markdown: string): string =>
  markdown.replace(
    /^# not-exported$/m,
    '# Not exported\n\nTypes that the exported ones are made of. They cannot be imported by name.',
  )

const dead = deadLinks()
if (dead.length > 0) throw new Error(`These links lead to no file:\n${dead.join('\n')}`)

rmSync(pages, { recursive: true, force: true })
for (const [file, place] of places) {
  if (file === 'README.md') continue // docs/index.md is the first page
  if (extname(file) !== '.md') write(place, exampleOf(file))
  else if (existsSync(join(root, file))) write(place, moved(file, readFileSync(join(root, file), 'utf8')))
}
write('decisions/index.md', decisions())
const index = join(pages, 'index.md')
writeFileSync(
  index,
  `---\npageClass: first\nsidebar: false\naside: false\nprev: false\nnext: false\n---\n\n${readFileSync(index, 'utf8')}`,
)
cpSync(join(root, 'docs/pictures'), join(pages, 'pictures'), { recursive: true })
for (const file of globSync('**/*.md', { cwd: join(out, 'reference') })) {
  write(`reference/${file}`, explainNotExported(readFileSync(join(out, 'reference', file), 'utf8')))
}
mkdirSync(join(pages, 'public'), { recursive: true })
cpSync(join(import.meta.dirname, 'icon.svg'), join(pages, 'public/icon.svg'))
