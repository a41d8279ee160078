/** What is mutated, and the tests that must notice. */
export interface Folder {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

const sdk = 'packages/sdk'
const mock = 'packages/mock-server'

/** Folders by their names on the command line. */
export const folders: Readonly<Record<string, Folder>> = {
  pagination: {
    mutate: [`${sdk}/src/pagination/**/*.ts`],
    tests: [`${sdk}/src/pagination/**/*.test.ts`, `${sdk}/test/pagination*.test.ts`],
  },
  throttle: {
    mutate: [`${sdk}/src/throttle/*.ts`, `!${sdk}/src/throttle/{shared,redis}.ts`],
    tests: [`${sdk}/src/throttle/!(shared).test.ts`],
  },
  // Apart, because its tests make thousands of throttles.
  'throttle-shared': {
    mutate: [`${sdk}/src/throttle/shared.ts`],
    tests: [`${sdk}/src/throttle/shared.test.ts`, `${sdk}/test/throttling.test.ts`],
  },
  transport: {
    mutate: [`${sdk}/src/transport/**/*.ts`],
    tests: [`${sdk}/src/transport/**/*.test.ts`, `${sdk}/test/*.test.ts`],
  },
  watch: {
    mutate: [`${sdk}/src/watch/**/*.ts`],
    tests: [`${sdk}/src/watch/**/*.test.ts`, `${sdk}/test/watch.test.ts`],
  },
  service: {
    mutate: [`${mock}/src/service/**/*.ts`],
    tests: [`${mock}/src/service/**/*.test.ts`, `${mock}/test/spec-*.test.ts`, `${mock}/test/model.test.ts`],
  },
  store: { mutate: [`${mock}/src/store/**/*.ts`], tests: [`${mock}/src/store/**/*.test.ts`] },
  'rate-limit': { mutate: [`${mock}/src/rate-limit/**/*.ts`], tests: [`${mock}/src/rate-limit/**/*.test.ts`] },
}
