import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'node',
  noExternal: [/^@guild-ledger\/validation/],
  dts: { entry: { index: 'src/index.ts' } },
  clean: true,
  sourcemap: true,
})
