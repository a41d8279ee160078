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
  // From the declarations that `tsc` wrote: to derive them from the sources takes most of the time of a build.
  dts: {
    entry: {
      index: 'dist-tsc/index.d.ts',
      contract: 'dist-tsc/contract/index.d.ts',
      redis: 'dist-tsc/throttle/redis.d.ts',
      throttle: 'dist-tsc/throttle/types.d.ts',
    },
    // Paginators are disposable: a project whose lib is older than that compiles all the same.
    banner: '/// <reference lib="esnext.disposable" />',
    compilerOptions: { paths: { [validation]: ['../validation/dist-tsc/index.d.ts'] } },
  },
  clean: true,
  sourcemap: true,
  // Stacks lead to a file and a line; the sources themselves would be more than half of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
})
