import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** Never published: its code and its types go into the bundle. */
const validation = '@guild-ledger/validation'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    contract: 'src/contract/index.ts',
    redis: 'src/throttle/redis.ts',
    throttle: 'src/throttle/types.ts',
  },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  noExternal: [validation],
  // For the header User-Agent.
  define: { SDK_VERSION: JSON.stringify(version) },
  dts: {
    // Paginators are disposable: a project whose lib is older than that compiles all the same.
    banner: '/// <reference lib="esnext.disposable" />',
    // The files of the private package import each other by relative paths.
    resolve: [validation, /^\.\.?\//],
  },
  clean: true,
  sourcemap: true,
  // Stacks lead to a file and a line; the sources themselves would be more than half of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
})
