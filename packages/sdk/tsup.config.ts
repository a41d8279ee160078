import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', contract: 'src/contract/index.ts', redis: 'src/throttle/redis.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  // Walks are disposable: a project whose lib is older than that compiles all the same.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  sourcemap: true,
})
