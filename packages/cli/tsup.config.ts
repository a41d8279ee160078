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
})
