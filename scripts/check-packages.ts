/**
 * Packs each published package as npm would get it, and lets publint and attw look at the tarball. What its documents link
 * to must be in it: for who installs a package there is no repository around it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const run = (command: string, args: string[], cwd = '.') => execFileSync(command, args, { cwd, stdio: 'inherit' })

/** Links of a document that lead to another file. */
const linksIn = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, to = '']) => (/^[a-z]+:/i.test(to) ? [] : [to]))

const checkLinks = (content: string): void => {
  const documents = globSync('*.md', { cwd: content }).map((name) => join(content, name))
  const dead = documents.flatMap((document) =>
    linksIn(readFileSync(document, 'utf8'))
      .filter((to) => !existsSync(join(dirname(document), to)))
      .map((to) => `${document.slice(content.length + 1)} links to ${to}, which is not in the package`),
  )
  if (dead.length > 0) throw new Error(dead.join('\n'))
  process.stdout.write(`${documents.length} documents, every link of theirs is in the package\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'guild-ledger-pack-'))
try {
  for (const name of ['sdk', 'mock-server']) {
    const into = join(folder, name)
    mkdirSync(into)
    run('pnpm', ['pack', '--pack-destination', into], join('packages', name))
    const [tarball = ''] = globSync('*.tgz', { cwd: into }).map((file) => join(into, file))
    run('publint', ['--strict', tarball])
    run('attw', ['--profile', 'esm-only', tarball])
    run('tar', ['-xzf', tarball, '-C', into])
    checkLinks(join(into, 'package'))
  }
} finally {
  rmSync(folder, { recursive: true })
}
