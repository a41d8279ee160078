import { defineConfig } from 'vitest/config'

const source = '@guild-ledger/source'
const plain = [
  'child',
  'mock-per-test',
  'guild-per-test',
  'fixtures',
  'before-all',
  'reset',
  'server',
  'concurrent',
  'each',
  'snapshots',
]
const files = (names: readonly string[]) => names.map((name) => `${name}.vitest.ts`)

/** Tests set up in every way that the guides show. They are swept, and would fail among the tests of this repository. */
export default defineConfig({
  resolve: { conditions: [source, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [source, 'node', 'development|production'], externalConditions: [source] } },
  test: {
    projects: [
      { extends: true, test: { name: 'plain', include: files(plain) } },
      { extends: true, test: { name: 'again', include: files(['before-all']) } },
      { extends: true, test: { name: 'msw', include: files(['msw']), setupFiles: ['./msw-setup.ts'] } },
      { extends: true, test: { name: 'shared', include: files(['shared-one', 'shared-two']), isolate: false } },
    ],
  },
})
