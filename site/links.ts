/** Links in Markdown: where they are and where they lead. Code blocks are no Markdown. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** Markdown files of the repository, by their paths in it. */
export const documents: readonly string[] = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|out|CHANGELOG\.md)$/.test(path),
}).toSorted()

const fence = /^(`{3,})[^\n]*\n[\s\S]*?^\1`*$/gm
const link = /(?<before>\]\(|(?:href|src)=")(?<target>[^)\s"]+)(?=[)\s"])/g

/** Applies `change` to each target of a link, other than in code. */
export const withLinks = (markdown: string, change: (target: string) => string): string => {
  const blocks = markdown.match(fence) ?? []
  const between = markdown.split(fence).filter((_, i) => i % 2 === 0)
  const changed = between.map((text) =>
    text.replace(link, (_all, before: string, target: string) => before + change(target)),
  )
  return changed.map((text, i) => text + (blocks[i] ?? '')).join('')
}

/** The file of the repository that a link in `document` leads to, and the heading; undefined for the web and for a heading of the same page. */
export const fileBehind = (document: string, target: string): { file: string; heading: string } | undefined => {
  if (/^[a-z][a-z\d+.-]*:|^#/i.test(target)) return undefined
  const [path = '', heading] = decodeURI(target).split('#')
  const file = relative(root, join(root, dirname(document), path))
  return { file, heading: heading === undefined ? '' : `#${heading}` }
}

/** Links that lead to no file. */
export const deadLinks = (): string[] =>
  documents.flatMap((document) => {
    const dead: string[] = []
    withLinks(readFileSync(join(root, document), 'utf8'), (target) => {
      const behind = fileBehind(document, target)
      if (behind && !existsSync(join(root, behind.file))) dead.push(`${document}: ${target}`)
      return target
    })
    return dead
  })
