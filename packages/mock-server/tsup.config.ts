import { defineConfig } from 'tsup'

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
  dts: { entry: { index: 'src/index.ts', node: 'src/carriers/node.ts', admin: 'src/admin/index.ts' } },
  clean: true,
  sourcemap: true,
})
