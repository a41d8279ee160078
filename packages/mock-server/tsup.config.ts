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
  dts: { entry: { index: 'src/index.ts', node: 'src/carriers/node.ts', admin: 'src/admin/index.ts' } },
  clean: true,
  sourcemap: true,
})
