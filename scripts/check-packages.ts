/**
 * Packs each published package and checks the tarball with publint and attw. The package must be self-contained: it has
 * every file of `files` in its manifest, its Markdown links to files inside of it, and it refers to no private package.
 * TypeScript's old resolution finds its types, too. Its commands name the Node that they need. The manifest asks for
 * provenance. With `--release <folder>`, it names this repository, no file has a placeholder, and the folder gets the
 * tarballs, the notes of each release, and `order.txt`: file, name and version of each package, after the packages that it
 * depends on.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** What these checks read of a `package.json`. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
  readonly types?: string
  readonly typesVersions?: { readonly '*': Readonly<Record<string, readonly string[]>> }
  readonly repository?: { readonly url?: string }
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
}

const run = (command: string, args: string[], cwd = '.') => execFileSync(command, args, { cwd, stdio: 'inherit' })

/** The links of a Markdown file to other files; code has none. */
const fileLinks = (markdown: string): string[] =>
  [...markdown.replaceAll(/```.*?```/gs, '').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, to = '']) =>
    /^[a-z]+:/i.test(to) ? [] : [to],
  )

const checkLinks = (content: string): void => {
  const documents = globSync('{*.md,docs/*.md}', { cwd: content }).map((name) => join(content, name))
  const dead = documents.flatMap((document) =>
    fileLinks(readFileSync(document, 'utf8'))
      .filter((to) => !existsSync(join(dirname(document), to)))
      .map((to) => `${document.slice(content.length + 1)} links to ${to}, which is not in the package`),
  )
  if (dead.length > 0) throw new Error(dead.join('\n'))
  process.stdout.write(`${documents.length} Markdown files, all linked files are in the package\n`)
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'))

const checkFiles = (content: string): void => {
  const { files = [] } = readManifest(join(content, 'package.json'))
  const missing = files.filter((file) => !existsSync(join(content, file)))
  if (missing.length > 0) throw new Error(`The package does not contain ${missing.join(', ')}`)
}

/** TypeScript's resolution `node10` reads no `exports`: `types` and `typesVersions` lead to the same files. */
const checkNode10 = (content: string): void => {
  const { exports = {}, types, typesVersions } = readManifest(join(content, 'package.json'))
  for (const [path, entry] of Object.entries(exports)) {
    const wanted = typeof entry === 'string' ? undefined : entry.types
    const found = path === '.' ? types : typesVersions?.['*'][path.slice(2)]?.[0]
    if (wanted !== found) throw new Error(`${path}: node10 finds the types ${found}, exports have ${wanted}`)
  }
}

/** On an older Node than `engines` says, each command names that version. npm only warns. */
const checkOldestNode = (folder: string): void => {
  const { bin = {}, engines } = readManifest(join(folder, 'package.json'))
  const onOldNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.0.0' } })`
  for (const [name, file] of Object.entries(bin)) {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(onOldNode)}`, join(folder, file), '--help']
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const expected = `Node ${engines.node.replace('>=', '')} or later is needed, got 22.0.0`
    if (!stderr.includes(expected)) throw new Error(`${name} must say "${expected}", got ${JSON.stringify(stderr)}`)
  }
}

const privatePackages = globSync('packages/*/package.json')
  .map(readManifest)
  .filter((manifest) => manifest.private)
  .map((manifest) => manifest.name)

/** Source maps contain the sources as they are; everything else must work without the private packages. */
const checkSelfContained = (content: string): void => {
  const files = globSync('**/*.{js,ts,json}', { cwd: content })
  const found = files.flatMap((file) =>
    privatePackages
      .filter((name) => readFileSync(join(content, file), 'utf8').includes(name))
      .map((name) => `${file} refers to ${name}, which is never published`),
  )
  if (found.length > 0) throw new Error(found.join('\n'))
  process.stdout.write(`${files.length} files, none refers to a private package\n`)
}

const [option, released] = process.argv.slice(2)
/** The repository that a release is published from, such as `owner/name`; undefined where nothing is released. */
const repository = option === '--release' ? (process.env.GITHUB_REPOSITORY ?? 'the repository') : undefined

/** npm rejects provenance where `repository` is not the repository that publishes. */
const checkProvenance = (content: string): void => {
  const { name, publishConfig, repository: named } = readManifest(join(content, 'package.json'))
  if (publishConfig?.access !== 'public' || publishConfig.provenance !== true) {
    throw new Error(`${name}: set publishConfig to { "access": "public", "provenance": true }`)
  }
  const url = `git+https://github.com/${repository}.git`
  if (repository !== undefined && named?.url !== url) {
    throw new Error(`${name}: set repository.url to "${url}", got ${JSON.stringify(named?.url)}`)
  }
}

/** What stands in this repository until it has an address of its own. In parts, so that a replacement does not find it here. */
const placeholder = ['github.com', 'example', ''].join('/')

const checkPlaceholders = (content: string): void => {
  const found = globSync('**/*', { cwd: content, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(placeholder))
  if (found.length > 0)
    throw new Error(`Replace ${placeholder} by the address of the repository in ${found.join(', ')}`)
}

/** The newest section of a changelog, without its heading. */
const notesOf = (changelog: string): string => changelog.split(/^## .*$/m)[1]?.trim() ?? ''

/** A line for each package that was packed, after those that it depends on. */
const inOrder = (packed: readonly { readonly manifest: Manifest; readonly file: string }[]): string[] => {
  const left = new Map(packed.map((one) => [one.manifest.name, one]))
  const ordered: string[] = []
  while (left.size > 0) {
    const ready = [...left.values()].find(({ manifest }) =>
      Object.keys(manifest.dependencies ?? {}).every((name) => !left.has(name)),
    )
    if (!ready) throw new Error(`These depend on each other: ${[...left.keys()].join(', ')}`)
    left.delete(ready.manifest.name)
    ordered.push(`${ready.file} ${ready.manifest.name}@${ready.manifest.version}`)
  }
  return ordered
}

const packed: { readonly manifest: Manifest; readonly file: string }[] = []
const folder = mkdtempSync(join(tmpdir(), 'guild-ledger-pack-'))
try {
  for (const name of ['sdk', 'mock-server', 'sweep', 'probe', 'cli']) {
    const into = join(folder, name)
    mkdirSync(into)
    run('pnpm', ['pack', '--pack-destination', into], join('packages', name))
    const [tarball = ''] = globSync('*.tgz', { cwd: into }).map((file) => join(into, file))
    run('publint', ['--strict', tarball])
    run('attw', ['--profile', 'esm-only', tarball])
    run('tar', ['-xzf', tarball, '-C', into])
    checkFiles(join(into, 'package'))
    checkNode10(join(into, 'package'))
    checkProvenance(join(into, 'package'))
    checkLinks(join(into, 'package'))
    checkSelfContained(join(into, 'package'))
    checkOldestNode(join('packages', name))
    if (repository !== undefined && released !== undefined) {
      const content = join(into, 'package')
      checkPlaceholders(content)
      mkdirSync(released, { recursive: true })
      copyFileSync(tarball, join(released, basename(tarball)))
      const notes = notesOf(readFileSync(join(content, 'CHANGELOG.md'), 'utf8'))
      writeFileSync(join(released, basename(tarball).replace('.tgz', '.md')), notes)
      packed.push({ manifest: readManifest(join(content, 'package.json')), file: basename(tarball) })
    }
  }
  if (released !== undefined) writeFileSync(join(released, 'order.txt'), `${inOrder(packed).join('\n')}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
