import type { createRequire as createRequireOfNode } from 'node:module'
import type { Http } from './adapters/msw.ts'
import type { Adapter } from './adapters/unsupported-faults.ts'
import type { Faker } from './seed/faker.ts'

/** Libraries that not every mock needs, loaded when one does: importing MSW takes about 70 ms, faker 16 ms. */
export interface Libraries {
  /** Generates transactions; not needed by a mock that is given its own. */
  readonly faker: () => Faker
  /** Creates `mock.handlers`; not needed for `mock.fetch` or HTTP. */
  readonly http: () => Http
  /** What the handlers are for. */
  readonly handlersFor: Adapter
}

type CreateRequire = typeof createRequireOfNode

/** Node's own `createRequire`, where somebody has derived a class from Node's `Module` and put another one into it. */
const originalOf = ({ Module }: { readonly Module: object }): CreateRequire | undefined =>
  (Object.getPrototypeOf(Module) as { readonly createRequire?: CreateRequire }).createRequire

/**
 * Loads an ES module synchronously, as `mock.handlers` and `mock.respond` cannot wait for `import()`.
 *
 * @throws {Error} This runtime lacks Node's modules; a bundler should have taken the `browser` entry.
 */
const load = (specifier: string): unknown => {
  const nodeModule = globalThis.process?.getBuiltinModule?.('node:module')
  if (nodeModule) {
    try {
      return nodeModule.createRequire(import.meta.url)(specifier)
    } catch (error) {
      // That of Jest cannot load ES modules before Node 24.
      const createRequire = originalOf(nodeModule)
      if (!createRequire) throw error
      return createRequire(import.meta.url)(specifier)
    }
  }
  throw new Error(
    `${specifier} cannot be loaded here: let your bundler resolve @guild-ledger/mock-server with the condition "browser".`,
  )
}

const mswProblems: Readonly<Record<string, string>> = {
  MODULE_NOT_FOUND: 'which is not installed',
  // Only MSW 3 has the entry that is loaded.
  ERR_PACKAGE_PATH_NOT_EXPORTED: 'and another version is installed',
}

const loadMsw = (): { http: Http } => {
  try {
    return load('msw/http') as { http: Http }
  } catch (error) {
    const problem = mswProblems[(error as NodeJS.ErrnoException).code ?? '']
    if (problem === undefined) throw error
    const help =
      'add it with "npm install --save-dev msw@3", or use mock.fetch or startMockServer, which do not need it.'
    throw new Error(`mock.handlers needs MSW 3, ${problem}: ${help}`, { cause: error })
  }
}

/** For Node, Bun and Deno. Loading both takes as long as loading the rest of the mock. */
export const lazyLibraries: Libraries = {
  faker: () => (load('@faker-js/faker/locale/en') as { faker: Faker }).faker,
  http: () => loadMsw().http,
  handlersFor: 'setupServer of MSW',
}
