/** Collects the pages of the site: guides, READMEs, the source of the examples, and the reference written by TypeDoc. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { guides } from '../scripts/guides.ts'
import { addressOf, deadLinks, documents, linkedFile, mapLinks, root } from '../scripts/links.ts'

const out = join(import.meta.dirname, 'out')
const pages = join(out, 'pages')
const languages: Record<string, string> = { '.ts': 'ts', '.cjs': 'js', '.js': 'js', '.py': 'python', '.html': 'html' }

const examples = globSync('packages/examples/src/*', { cwd: root }).filter(
  (file) => extname(file) in languages && !file.endsWith('.test.ts'),
)

/** Paths on the site, by the path in the repository. */
const sitePaths = new Map<string, string>([
  ['README.md', 'index.md'],
  ...documents.filter((file) => file.startsWith('docs/')).map((file) => [file, file.slice('docs/'.length)] as const),
  ...['sdk', 'mock-server', 'sweep', 'probe', 'cli'].map(
    (name) => [`packages/${name}/README.md`, `packages/${name}.md`] as const,
  ),
  ['packages/examples/README.md', 'examples/index.md'],
  ...examples.map((file) => [file, `examples/${basename(file)}.md`] as const),
  ['bench/README.md', 'bench.md'],
  ...documents
    .filter((file) => !file.includes('/') && file !== 'README.md')
    .map((file) => [file, `project/${file.toLowerCase()}`] as const),
])
/** The same for links to folders and to a picture. */
const otherPaths: Record<string, string> = {
  docs: 'index.md',
  'docs/decisions': 'decisions/index.md',
  'packages/sdk': 'packages/sdk.md',
  'packages/mock-server': 'packages/mock-server.md',
  'packages/sweep': 'packages/sweep.md',
  'packages/probe': 'packages/probe.md',
  'packages/cli': 'packages/cli.md',
  'packages/examples': 'examples/index.md',
  bench: 'bench.md',
  'packages/mock-server/dashboard.png': 'pictures/dashboard.png',
}

/** The list of the decisions; a code host shows the folder instead. */
const decisionList = (): string => {
  const items = documents
    .filter((file) => file.startsWith('docs/decisions/'))
    .map((file) => `- [${/^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]}](./${basename(file)})`)
  return `# Decisions\n\nA page for each design that a newcomer would question.\n\n${items.join('\n')}\n`
}

/** Removes badges: the site loads nothing from other hosts. */
const removeBadges = (markdown: string): string =>
  markdown.replaceAll(/\[?!\[[^\]]*\]\(https:[^)]*\)(?:\]\([^)]*\))?[ \n]?/g, '')

const toSite = (document: string, markdown: string): string => {
  const from = dirname(sitePaths.get(document) ?? '')
  const repository = addressOf('') // the READMEs of packages have whole addresses
  return mapLinks(removeBadges(markdown), (target) => {
    const isInside = target.startsWith(repository)
    const linked = isInside ? linkedFile('', target.slice(repository.length)) : linkedFile(document, target)
    if (!linked) return target
    const { file, heading } = linked
    if (file.startsWith('docs/pictures/')) return relative(from, file.slice('docs/'.length))
    const page = sitePaths.get(file) ?? otherPaths[file.replace(/\/$/, '')]
    if (page === undefined) return addressOf(file) + heading
    const path = relative(from, page)
    return `${path.startsWith('.') ? path : `./${path}`}${heading}`
  })
}

const writePage = (path: string, markdown: string) => {
  const file = join(pages, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, markdown)
}

/** The page of an example. The comment at its top is the introduction. */
const examplePage = (file: string): string => {
  const text = readFileSync(join(root, file), 'utf8').trimEnd()
  const [comment = ''] = /^(?:(?:\/\/|#)(?!!).*\n)*/.exec(text) ?? []
  const introduction = comment.replaceAll(/^(?:\/\/|#) ?/gm, '').trim()
  const [description = '', ...commands] = introduction.split('\n\n')
  const commandBlocks = commands.map((command) => `\`\`\`sh\n${command}\n\`\`\``)
  const code = `\`\`\`${languages[extname(file)]}\n${text.slice(comment.length).trim()}\n\`\`\``
  const parts = [
    `# ${basename(file)}`,
    description,
    ...commandBlocks,
    code,
    'One of [the examples](./index.md). Each of them runs as a test.',
  ]
  return `---\naside: false\n---\n\n${parts.join('\n\n')}\n`
}

/** Explains the page of types that are not exported. */
const explainNotExported = (markdown: string): string =>
  markdown.replace(
    /^# not-exported$/m,
    '# Not exported\n\nTypes that exported types refer to. They cannot be imported by name.',
  )

const dead = deadLinks()
if (dead.length > 0) throw new Error(`Links to missing files:\n${dead.join('\n')}`)

rmSync(pages, { recursive: true, force: true })
for (const [file, path] of sitePaths) {
  if (file === 'README.md') continue // docs/index.md is the home page
  if (extname(file) !== '.md') writePage(path, examplePage(file))
  else if (existsSync(join(root, file))) writePage(path, toSite(file, readFileSync(join(root, file), 'utf8')))
}
writePage('decisions/index.md', decisionList())
const index = join(pages, 'index.md')
/** Turns the row of links into buttons: the class `start`. */
const withButtons = (markdown: string): string => {
  const [row] = /^Start with \[.+$/m.exec(markdown) ?? []
  if (row === undefined) throw new Error('docs/index.md has no line "Start with [...](...) · [...](...)".')
  return markdown.replace(row, `${row.slice('Start with '.length).replaceAll(' · ', ' ')} {.start}`)
}
writeFileSync(
  index,
  `---\npageClass: first\nsidebar: false\naside: false\nprev: false\nnext: false\n---\n\n${withButtons(readFileSync(index, 'utf8'))}`,
)
cpSync(join(root, 'docs/pictures'), join(pages, 'pictures'), { recursive: true })
cpSync(join(root, 'packages/mock-server/dashboard.png'), join(pages, 'pictures/dashboard.png'))
for (const file of globSync('**/*.md', { cwd: join(out, 'reference') })) {
  writePage(`reference/${file}`, explainNotExported(readFileSync(join(out, 'reference', file), 'utf8')))
}

const publicFolder = join(pages, 'public')
mkdirSync(publicFolder, { recursive: true })
cpSync(join(import.meta.dirname, 'icon.svg'), join(publicFolder, 'icon.svg'))

/** A line of `llms.txt`: title and first paragraph of a page. */
const lineOf = (page: string): string => {
  const text = readFileSync(join(pages, page), 'utf8')
  const [, title = '', introduction = ''] = /^# (.+)\n+((?:.+\n)+)/m.exec(text) ?? []
  return `- [${title}](${process.env.SITE_BASE ?? '/'}${page}): ${introduction
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .trim()
    .replaceAll('\n', ' ')}`
}

const sections = {
  Guides: Object.values(guides).flatMap((names) => names.map((name) => `${name}.md`)),
  Packages: ['packages/sdk.md', 'packages/mock-server.md'],
  Examples: examples.map((file) => `examples/${basename(file)}.md`),
}
writeFileSync(
  join(publicFolder, 'llms.txt'),
  [
    '# Guild Ledger',
    '> A typed client and a mock server for the Guild Ledger Transactions Service. Every page of this site is also there as Markdown: replace `.html` with `.md`.',
    ...Object.entries(sections).map(([heading, list]) => `## ${heading}\n\n${list.map(lineOf).join('\n')}`),
  ].join('\n\n') + '\n',
)
