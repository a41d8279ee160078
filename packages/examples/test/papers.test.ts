import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const json = async (path: string) => JSON.parse(await read(path)) as Record<string, Record<string, string>>

const papers = await Array.fromAsync(glob(['*.md', 'packages/*/*.md', 'bench/*.md', '.github/*.md'], { cwd: root }))
const unfenced = async (paper: string) => (await read(paper)).replaceAll(/^```.*?^```/gms, '')

it('names files in CONTRIBUTING that are there', async () => {
  // The tables of the layout name files as they stand in their package, a list of steps those beside one named before.
  const mock = 'packages/mock-server/src'
  const bases = ['', 'packages', 'packages/sdk', 'packages/sdk/src', mock, `${mock}/faults`, `${mock}/assumptions`]
  const words = (await unfenced('CONTRIBUTING.md')).matchAll(/`([\w./-]+)`/g)
  const paths = [...words].map(([, word = '']) => word).filter((word) => /\/|\.(ts|js|md|json|ya?ml)$/.test(word))
  const gone = paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
  expect(paths.length).toBeGreaterThan(60)
  expect(gone).toEqual([])
})

it.each(papers)('%s links to what is there', async (paper) => {
  const links = [...(await unfenced(paper)).matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link)
  const gone = links.filter((link) => !/^https?:/.test(link) && !existsSync(resolve(root, dirname(paper), link)))
  expect(gone).toEqual([])
})

it.each(papers)('%s names scripts that are there', async (paper) => {
  const manifests = { '': 'package.json', bench: 'bench/package.json', runtimes: 'runtimes/package.json' }
  const code = (await read(paper)).match(/^```.*?^```|`[^`\n]+`/gms)?.join('\n') ?? ''
  const commands = code.matchAll(/\bpnpm(?:@12)? (?:--dir (\w+) )?([a-z][\w:-]+)/g)
  const own = new Set(['install', 'pack', 'exec', 'changeset'])
  const gone: string[] = []
  for (const [command, folder = '', script = ''] of commands) {
    const { scripts } = await json(manifests[folder as keyof typeof manifests] ?? `${folder}/package.json`)
    if (!own.has(script) && !Object.hasOwn(scripts ?? {}, script)) gone.push(command)
  }
  expect(gone).toEqual([])
})

it('wears badges that are true, and none that anybody has to look up', async () => {
  const badges: Record<string, (manifest: Record<string, unknown>) => boolean> = {
    'licence-MIT': ({ license }) => license === 'MIT',
    'node-%3E%3D22': ({ engines }) => (engines as { node: string }).node === '>=22',
    'types-included': ({ files }) => (files as string[]).includes('dist'),
    'modules-ESM%2C%20require%20works': ({ type }) => type === 'module',
  }
  const manifest: Record<string, unknown> = await json('packages/sdk/package.json')
  for (const paper of ['README.md', 'packages/sdk/README.md']) {
    const shown = [...(await read(paper)).matchAll(/!\[[^\]]*\]\(https:\/\/img\.shields\.io\/badge\/(.+?)-\w+\)/g)]
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.map(([, badge = '']) => [badge, badges[badge]?.(manifest)])).toEqual(
      shown.map(([, badge = '']) => [badge, true]),
    )
    expect(await read(paper)).not.toMatch(/img\.shields\.io\/(?!badge\/)/)
  }
})

it('tells the runtimes that are tried', async () => {
  const { dependencies = {} } = await json('runtimes/package.json')
  const readme = await read('packages/sdk/README.md')
  const minor = (name: string) => /^\d+\.\d+/.exec(dependencies[name] ?? '')?.[0]
  const nodes = Object.keys(dependencies).flatMap((name) => /^node-(\d+)$/.exec(name)?.[1] ?? [])
  const table = Object.fromEntries(
    [...readme.matchAll(/^\| (\w+) +\| ([\d., ]+?) +\|/gm)].map(([, name = '', tried]) => [name, tried]),
  )
  expect(table).toMatchObject({ Node: nodes.join(', '), Bun: minor('bun'), Deno: minor('deno') })
})
