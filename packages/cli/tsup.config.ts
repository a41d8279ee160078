import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'node',
  noExternal: [/^@guild-ledger\/validation/],
  // The bundler would take the prefix away, and there is no package of the name `sqlite`.
  removeNodeProtocol: false,
  clean: true,
  sourcemap: true,
  // Stacks lead to a file and a line; the sources themselves would be more than half of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
})
