import type { Plugin } from 'esbuild'
import { defineConfig } from 'tsup'
import { putTogether } from './src/page/put-together.ts'

// A source map would hold the page a second time.
const noMap =
  '//# sourceMappingURL=data:application/json,{"version":3,"sources":["made.ts"],"sourcesContent":[""],"mappings":"AAAA"}'

/** Puts the page together now, so that neither its sources nor a bundler are needed to serve it. */
const madePage: Plugin = {
  name: 'made page',
  setup(build) {
    build.onLoad({ filter: /page\/made\.ts$/ }, () => ({
      contents: `const made = () => (${JSON.stringify(putTogether())})\nexport { made }\n${noMap}`,
    }))
  },
}

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    browser: 'src/browser.ts',
    node: 'src/carriers/node.ts',
    admin: 'src/admin/index.ts',
    cli: 'src/cli.ts',
  },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  external: [/^node:/],
  // Little of zod is used, and loading all of its files took a third of the time until a first reply. See NOTICE.md.
  noExternal: [/^@guild-ledger\/sdk\/contract$/, /^zod/],
  esbuildPlugins: [madePage],
  dts: { entry: { index: 'src/index.ts', node: 'src/carriers/node.ts', admin: 'src/admin/index.ts' } },
  clean: true,
  sourcemap: true,
})
