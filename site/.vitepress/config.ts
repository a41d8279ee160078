import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { faker } from '@faker-js/faker/locale/en'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { guides } from '../../scripts/guides.ts'
import { withoutControls, withPlayground } from '../playground/markdown.ts'

const pages = resolve(import.meta.dirname, '../out/pages')
const base = process.env.SITE_BASE ?? '/'

const titleOf = (page: string) => /^# (.+)$/m.exec(readFileSync(join(pages, page), 'utf8'))?.[1]?.replaceAll('`', '')

const entry = (page: string, text = titleOf(page) ?? page): DefaultTheme.SidebarItem => ({
  text,
  link: `/${page.replace(/(index)?\.md$/, '')}`,
})

const folder = (name: string) =>
  globSync(`${name}/*.md`, { cwd: pages })
    .filter((page) => basename(page) !== 'index.md')
    .toSorted()
    .map((page) => entry(page))

const guidePages = Object.values(guides).flatMap((names) => names.map((name) => `${name}.md`))
/** The entry points of both packages, the SDK first. */
const reference = ['sdk', 'mock-server'].flatMap((name) =>
  globSync(`reference/${name}/**/*.md`, { cwd: pages })
    .filter((page) => basename(page) !== 'not-exported.md')
    .toSorted((a, b) => (titleOf(a) ?? '').localeCompare(titleOf(b) ?? '')),
)

const toGuides: DefaultTheme.SidebarItem[] = [
  { text: 'Guides', items: guidePages.map((page) => entry(page)) },
  {
    text: 'Packages',
    items: ['sdk', 'mock-server', 'sweep', 'probe', 'cli'].map((name) => entry(`packages/${name}.md`)),
  },
  {
    text: 'Data',
    items: [entry('bench.md')],
  },
  { text: 'Project', items: [entry('decisions/index.md'), ...folder('project')] },
]

export default defineConfig({
  title: 'Guild Ledger',
  description: 'A typed client and a mock server for the Guild Ledger Transactions Service',
  lang: 'en',
  base,
  srcDir: 'out/pages',
  outDir: 'out/site',
  cacheDir: 'out/cache',
  vite: {
    build: {
      // The index of the search is one chunk, which a page loads only when somebody searches.
      chunkSizeWarningLimit: 2000,
      rollupOptions: {
        // Comments of zod that only mention `@__PURE__`.
        onwarn: (warning, warn) => void (warning.code === 'INVALID_ANNOTATION' || warn(warning)),
      },
    },
    // The playground runs the sources of the packages.
    resolve: { conditions: ['@guild-ledger/source'] },
    server: { fs: { allow: ['../..'] } },
    define: { productNameWords: JSON.stringify(faker.rawDefinitions.commerce?.product_name) },
  },
  transformHead: ({ pageData: { relativePath } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: base + relativePath }],
  ],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    // An empty heading cell becomes a `td`: screen readers would announce a `th`.
    config: (markdown) => {
      markdown.renderer.rules.fence = withPlayground(markdown.renderer.rules.fence as never) as never
      const emptyAsData = (open: boolean) => (tokens: { content: string }[], at: number) =>
        tokens[open ? at + 1 : at - 1]?.content === '' ? `<${open ? '' : '/'}td>` : `<${open ? '' : '/'}th>`
      markdown.renderer.rules.th_open = emptyAsData(true)
      markdown.renderer.rules.th_close = emptyAsData(false)
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local', options: { _render: (source, env, md) => withoutControls(md.render(source, env)) } },
    nav: [
      {
        text: 'Guides',
        link: '/getting-started',
        activeMatch: `^/(${guidePages.map((page) => page.slice(0, -3)).join('|')})`,
      },
      { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
    ],
    sidebar: {
      '/': toGuides,
      '/examples/': [{ text: 'Examples', items: [entry('examples/index.md', 'Overview'), ...folder('examples')] }],
      '/decisions/': [{ text: 'Decisions', items: [entry('decisions/index.md', 'Overview'), ...folder('decisions')] }],
      '/reference/': [{ text: 'Reference', items: reference.map((page) => entry(page)) }],
    },
    outline: { level: [2, 3] },
  },
})
