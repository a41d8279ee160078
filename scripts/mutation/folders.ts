/** What is mutated, and the tests that must notice. */
export interface Folder {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

const sdk = 'packages/sdk'
const mock = 'packages/mock-server'

const testsOf = (folder: string, ...names: readonly string[]) => names.map((name) => `${folder}/test/${name}.test.ts`)

/** The parts of pagination that have unit tests. */
const pureParts = [
  'concurrency',
  'extent',
  'order',
  'page-result',
  'page-retry',
  'prefetch',
  'recent-window',
  'result-version',
  'single-use',
  'tally',
].map((name) => `${sdk}/src/pagination/${name}.ts`)

/** Tests of files in `transport` beside those that have the name of the file. */
const transportTests: Readonly<Record<string, readonly string[]>> = {
  'api-keys': testsOf(sdk, 'api-keys'),
  attempt: [],
  auth: [`${sdk}/src/transport/api-keys.test.ts`, ...testsOf(sdk, 'middleware')],
  'call-log': [],
  'checked-key': [],
  'connection-error': [],
  deadline: [],
  decode: testsOf(sdk, 'response-validation'),
  'fixed-key': testsOf(sdk, 'api-keys'),
  'key-expiry': testsOf(sdk, 'api-keys'),
  lingering: [],
  log: testsOf(sdk, 'logging'),
  options: [],
  'parsing-turn': [],
  redaction: [],
  'response-info': [],
  retry: testsOf(sdk, '{rate-limit-retries,retries}'),
  'retry-log': testsOf(sdk, 'logging', 'rate-limit-retries'),
  send: [],
  'shared-requests': [],
  'shown-url': testsOf(sdk, 'errors'),
  'to-error': [],
  trace: [],
  transport: [],
}

/** Each file by itself, such as `transport/send`: a call runs nearly all of them, so each mutation would run all tests. */
const transport: Readonly<Record<string, Folder>> = Object.fromEntries(
  Object.entries(transportTests).map(([name, tests]) => {
    const file = `${sdk}/src/transport/${name}`
    return [`transport/${name}`, { mutate: [`${file}.ts`], tests: [`${file}.test.ts`, ...tests] }]
  }),
)

/**
 * Folders by their names on the command line. Left out are tests that take seconds: each one runs again for most of the
 * mutations.
 */
export const folders: Readonly<Record<string, Folder>> = {
  pagination: {
    mutate: pureParts,
    tests: [`${sdk}/src/pagination/**/*.test.ts`],
  },
  // Apart, because whole paginations take longer than the parts.
  'pagination-flow': {
    mutate: [`${sdk}/src/pagination/**/*.ts`, ...pureParts.map((part) => `!${part}`)],
    tests: [`${sdk}/src/pagination/{backfill,deduplicate,entries,options,ordered-pages,paginate,user-tracker}.test.ts`],
  },
  throttle: {
    mutate: [`${sdk}/src/throttle/*.ts`, `!${sdk}/src/throttle/{shared,redis}.ts`],
    tests: [`${sdk}/src/throttle/!(shared).test.ts`],
  },
  // Apart, because these tests need a process of their own.
  'throttle-shared': {
    mutate: [`${sdk}/src/throttle/shared.ts`],
    tests: [`${sdk}/src/throttle/shared.test.ts`],
  },
  ...transport,
  watch: {
    mutate: [`${sdk}/src/watch/**/*.ts`],
    tests: [`${sdk}/src/watch/**/*.test.ts`, ...testsOf(sdk, 'watch')],
  },
  service: {
    mutate: [`${mock}/src/service/**/*.ts`],
    tests: [
      `${mock}/src/{ledger,service}/**/*.test.ts`,
      `${mock}/src/assumptions/process-wide.test.ts`,
      ...testsOf(mock, 'response-meta', 'spec-{parameters,responses}'),
    ],
  },
  store: {
    mutate: [`${mock}/src/store/**/*.ts`],
    tests: [`${mock}/src/store/**/*.test.ts`, `${mock}/src/ledger/snapshots-and-data.test.ts`],
  },
  'rate-limit': { mutate: [`${mock}/src/rate-limit/**/*.ts`], tests: [`${mock}/src/rate-limit/**/*.test.ts`] },
}
