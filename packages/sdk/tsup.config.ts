import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', contract: 'src/contract/index.ts', redis: 'src/throttle/redis.ts' },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  dts: true,
  clean: true,
  sourcemap: true,
})
