import type { Plugin } from 'esbuild'
import { defineConfig } from 'tsup'
import { buildDashboard } from './dashboard/build.ts'

/** Builds the dashboard now and replaces its builder by the result: the package contains neither sources nor bundler. */
const dashboard: Plugin = {
  name: 'dashboard',
  setup(build) {
    build.onLoad({ filter: /dashboard\/build\.ts$/ }, () => ({
      contents: `const buildDashboard = () => (${JSON.stringify(buildDashboard())})\nexport { buildDashboard }\n`,
    }))
  },
}

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    browser: 'src/browser.ts',
    node: 'src/adapters/node/server.ts',
    admin: 'src/admin/index.ts',
    assumptions: 'src/assumptions.ts',
    cli: 'src/cli/main.ts',
    start: 'src/cli/start.ts',
    vitest: 'src/vitest/index.ts',
    reporter: 'src/vitest/reporter.ts',
  },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  // The fixtures import the package by its name, so that browsers get the entry for browsers.
  external: [/^node:/, '@guild-ledger/mock-server', 'vitest'],
  // Little of zod is used, and loading all of its files took a third of the time until the first response. See NOTICE.md.
  noExternal: [/^@guild-ledger\/(sdk\/contract|validation(\/command-line)?)$/, /^zod/],
  esbuildPlugins: [dashboard],
  dts: {
    entry: {
      index: 'dist-tsc/src/index.d.ts',
      node: 'dist-tsc/src/adapters/node/server.d.ts',
      admin: 'dist-tsc/src/admin/index.d.ts',
      assumptions: 'dist-tsc/src/assumptions.d.ts',
      start: 'dist-tsc/src/cli/start.d.ts',
      vitest: 'dist-tsc/src/vitest/index.d.ts',
      reporter: 'dist-tsc/src/vitest/reporter.d.ts',
    },
  },
  clean: true,
  sourcemap: true,
  // Stacks lead to a file and a line; the sources themselves would be more than half of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
})
