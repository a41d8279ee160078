import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts', worker: 'src/run/vitest/worker.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'node',
  noExternal: [/^@guild-ledger\/validation/],
  dts: { entry: { index: 'src/index.ts' } },
  clean: true,
  sourcemap: true,
})
