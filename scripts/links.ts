/** Finds and changes links in Markdown, except in code blocks. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** Paths of the Markdown files in the repository. */
export const documents: readonly string[] = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|out|CHANGELOG\.md)$|^packages\/[^/]+\/docs$/.test(path),
}).toSorted()

const fence = /^(`{3,})[^\n]*\n[\s\S]*?^\1`*$/gm
const link = /(?<before>\]\(|(?:href|src)=")(?<target>[^)\s"]+)(?=[)\s"])/g

/** Applies `change` to the target of every link. */
export const mapLinks = (markdown: string, change: (target: string) => string): string => {
  const codeBlocks = markdown.match(fence) ?? []
  const prose = markdown.split(fence).filter((_, i) => i % 2 === 0)
  const changed = prose.map((text) =>
    text.replace(link, (_match, before: string, target: string) => before + change(target)),
  )
  return changed.map((text, i) => text + (codeBlocks[i] ?? '')).join('')
}

/** The file and the heading that a link in `document` leads to; undefined for other sites and for the same page. */
export const linkedFile = (document: string, target: string): { file: string; heading: string } | undefined => {
  if (/^[a-z][a-z\d+.-]*:|^#/i.test(target)) return undefined
  const [path = '', heading] = decodeURI(target).split('#')
  const file = relative(root, join(root, dirname(document), path))
  return { file, heading: heading === undefined ? '' : `#${heading}` }
}

/** Finds links to files that do not exist. */
export const deadLinks = (): string[] =>
  documents.flatMap((document) => {
    const dead: string[] = []
    mapLinks(readFileSync(join(root, document), 'utf8'), (target) => {
      const linked = linkedFile(document, target)
      if (linked && !existsSync(join(root, linked.file))) dead.push(`${document}: ${target}`)
      return target
    })
    return dead
  })

/** The address of a file in the repository, for links from places that do not contain it. */
export const addressOf = (file: string): string => {
  const manifest = readFileSync(join(root, 'packages/sdk/package.json'), 'utf8')
  const { repository } = JSON.parse(manifest) as { repository: { url: string } }
  return `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/${file}`
}
