/** Copies the guides of a package into its folder before it is packed. Run in the folder of the package. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { addressOf, linkedFile, mapLinks, root } from './links.ts'
import { guides } from './guides.ts'

const name = basename(process.cwd())
const inPackage: readonly string[] = guides[name as keyof typeof guides]
const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] }

/** A link from a guide in the package: to another guide, to a file of the package, else to the repository. */
const relink = (target: string): string => {
  const linked = linkedFile('docs/guide.md', target)
  if (!linked) return target
  const { file, heading } = linked
  if (inPackage.some((guide) => file === `docs/${guide}.md`)) return target
  const own = file.startsWith(`packages/${name}/`) ? file.slice(`packages/${name}/`.length) : ''
  return (own === 'README.md' || files.includes(own) ? `../${own}` : addressOf(file)) + heading
}

const copies = new Map(
  inPackage.map((guide) => [`${guide}.md`, mapLinks(readFileSync(`${root}/docs/${guide}.md`, 'utf8'), relink)]),
)
mkdirSync('docs', { recursive: true })
for (const file of readdirSync('docs')) if (!copies.has(file)) rmSync(`docs/${file}`, { recursive: true })
// Files that are as they should be stay untouched: another process may be packing them.
for (const [file, copy] of copies)
  if (!existsSync(`docs/${file}`) || readFileSync(`docs/${file}`, 'utf8') !== copy) writeFileSync(`docs/${file}`, copy)
