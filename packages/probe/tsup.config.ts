import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'node',
  noExternal: [/^@guild-ledger\/validation/],
  dts: { entry: { index: 'dist-tsc/index.d.ts' } },
  clean: true,
  sourcemap: true,
  // Stacks lead to a file and a line; the sources themselves would be more than half of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
})
