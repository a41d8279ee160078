import { existsSync } from 'node:fs'
import { glob, readFile, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { layers } from '../../../layers.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const json = async (path: string) => JSON.parse(await read(path)) as Record<string, Record<string, string>>

const documents = await Array.fromAsync(glob(['*.md', 'packages/*/*.md', 'bench/*.md', '.github/*.md'], { cwd: root }))
const withoutCode = async (document: string) => (await read(document)).replaceAll(/^```.*?^```/gms, '')

it('CONTRIBUTING names existing files', async () => {
  // The tables name files relative to their package, and lists of steps relative to a folder named before.
  const mock = 'packages/mock-server/src'
  const bases = ['', 'packages', 'packages/sdk', 'packages/sdk/src', mock, `${mock}/faults`, `${mock}/assumptions`]
  const words = (await withoutCode('CONTRIBUTING.md')).matchAll(/`([\w./-]+)`/g)
  const paths = [...words].map(([, word = '']) => word).filter((word) => /\/|\.(ts|js|md|json|ya?ml)$/.test(word))
  const missing = paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
  expect(paths.length).toBeGreaterThan(60)
  expect(missing).toEqual([])
})

it.each(['sdk', 'mock-server'] as const)('CONTRIBUTING lists the layers of %s as layers.ts does', async (name) => {
  const ofPackage: readonly (readonly string[])[] = layers[name]
  const [, table = ''] = (await read('CONTRIBUTING.md')).split(`| Layers of \`packages/${name}/src\``)
  const rows = table.split('\n\n')[0]?.matchAll(/^\| (`.+?) +\|/gm) ?? []
  const levels = [...rows].map(([, names = '']) =>
    [...names.matchAll(/`([\w.-]+)\/?`/g)].map(([, one = '']) => ofPackage.findIndex((layer) => layer.includes(one))),
  )
  expect(levels.length).toBeGreaterThan(8)
  expect(levels.flat()).not.toContain(-1)
  const highest = levels.map((level) => Math.max(...level))
  expect(highest).toEqual(highest.toSorted((a, b) => b - a))
})

it.each(documents)(
  '%s links to existing files, those of the repository by addresses that work from npm',
  async (document) => {
    const { repository } = await json('packages/sdk/package.json')
    const prefix = repository?.url?.replace(/^git\+/, '').replace(/\.git$/, '/blob/main/') ?? ''
    const links = [...(await withoutCode(document)).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link)
    const files = links.filter((link) => !/^https?:\/\/(?!github\.com\/)/.test(link))
    const missing = files.filter(
      (link) => !existsSync(resolve(root, dirname(document), link.replace(prefix, `${root}/`))),
    )
    expect(missing).toEqual([])
  },
)

it.each(documents)('%s names existing scripts', async (document) => {
  const manifests = { '': 'package.json', bench: 'bench/package.json', runtimes: 'runtimes/package.json' }
  const code = (await read(document)).match(/^```.*?^```|`[^`\n]+`/gms)?.join('\n') ?? ''
  const commands = code.matchAll(/\bpnpm(?:@12)? (?:--dir (\w+) )?([a-z][\w:-]+)/g)
  const pnpmCommands = new Set(['install', 'pack', 'exec', 'changeset'])
  const missing: string[] = []
  for (const [command, folder = '', script = ''] of commands) {
    const { scripts } = await json(manifests[folder as keyof typeof manifests] ?? `${folder}/package.json`)
    if (!pnpmCommands.has(script) && !Object.hasOwn(scripts ?? {}, script)) missing.push(command)
  }
  expect(missing).toEqual([])
})

it('the badges in READMEs are correct and static', async () => {
  const badges: Record<string, (manifest: Record<string, unknown>) => boolean> = {
    'licence-MIT': ({ license }) => license === 'MIT',
    'node-%3E%3D22.13': ({ engines }) => (engines as { node: string }).node === '>=22.13',
    'types-included': ({ files }) => (files as string[]).includes('dist'),
    'modules-ESM%2C%20require%20works': ({ type }) => type === 'module',
  }
  const manifest: Record<string, unknown> = await json('packages/sdk/package.json')
  for (const document of ['README.md', 'packages/sdk/README.md']) {
    const found = [...(await read(document)).matchAll(/!\[[^\]]*\]\(https:\/\/img\.shields\.io\/badge\/(.+?)-\w+\)/g)]
    expect(found.length).toBeGreaterThan(2)
    expect(found.map(([, badge = '']) => [badge, badges[badge]?.(manifest)])).toEqual(
      found.map(([, badge = '']) => [badge, true]),
    )
    expect(await read(document)).not.toMatch(/img\.shields\.io\/(?!badge\/)/)
  }
})

it('the README of the SDK lists the tested runtimes', async () => {
  const { dependencies = {} } = await json('runtimes/package.json')
  const readme = await read('packages/sdk/README.md')
  const minor = (name: string) => /^\d+\.\d+/.exec(dependencies[name] ?? '')?.[0]
  const nodes = Object.keys(dependencies).flatMap((name) => /^node-(\d+)$/.exec(name)?.[1] ?? [])
  const table = Object.fromEntries(
    [...readme.matchAll(/^\| (\w+) +\| ([\d., ]+?) +\|/gm)].map(([, name = '', versions]) => [name, versions]),
  )
  expect(table).toMatchObject({ Node: nodes.join(', '), Bun: minor('bun'), Deno: minor('deno') })
})

it('docs/testing.md links to the project of every test runner', async () => {
  const linked = [...(await read('docs/testing.md')).matchAll(/\.\.\/runtimes\/recipes\/([\w-]+)/g)]
  const projects = await readdir(join(root, 'runtimes/recipes'))

  // These are checks of ours: no project to copy.
  const own = new Set(['sweep', 'another-realm'])
  expect(new Set(linked.map(([, name]) => name))).toEqual(new Set(projects.filter((name) => !own.has(name))))
})

it.each((await readdir(join(root, 'packages/examples/src'))).filter((file) => !file.endsWith('.test.ts')))(
  'the example %s has a comment at its top, is listed once in the README and has at most 80 lines',
  async (file) => {
    const code = await read(`packages/examples/src/${file}`)

    expect((await read('packages/examples/README.md')).split(`(src/${file})`)).toHaveLength(2)
    expect(code).toMatch(/^(\/\/|#) [A-Z]/)
    expect(code.split('\n').length).toBeLessThanOrEqual(80)
  },
)
