/** Copies the guides of a package into its folder before it is packed. Run in the folder of the package. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

rmSync('docs', { recursive: true, force: true })
mkdirSync('docs')
for (const guide of inPackage)
  writeFileSync(`docs/${guide}.md`, mapLinks(readFileSync(`${root}/docs/${guide}.md`, 'utf8'), relink))
