import { defineConfig } from 'vitest/config'

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
  test: {
    projects: [
      // Half of the patterns run in threads, the others in processes.
      { extends: true, test: { name: 'plain', include: files(plain), pool: 'threads' } },
      { extends: true, test: { name: 'again', include: files(['before-all']) } },
      { extends: true, test: { name: 'msw', include: files(['msw']), setupFiles: ['./msw-setup.ts'] } },
      { extends: true, test: { name: 'shared', include: files(['shared-one', 'shared-two']), isolate: false } },
    ],
  },
})
