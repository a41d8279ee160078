import type { Faker } from '../seed.ts'
import type { Door } from '../faults/index.ts'
import type { Http } from './msw.ts'

/** Libraries that not every mock needs, loaded when one does. */
export interface Libraries {
  /** Makes up rows; not needed by a mock that is given its own. */
  readonly faker: () => Faker
  /** Makes `mock.handlers`; not needed behind `mock.fetch` or HTTP. */
  readonly http: () => Http
  /** Whom the handlers are for. */
  readonly handlersFor: Door
}

/**
 * Loads an ES module at once, as `mock.handlers` and `mock.answer` can not wait for `import()`.
 *
 * @throws {Error} This is a runtime without Node's modules; a bundler should have taken the `browser` entry.
 */
const required = (specifier: string): unknown => {
  const { createRequire } = globalThis.process?.getBuiltinModule?.('node:module') ?? {}
  if (createRequire) return createRequire(import.meta.url)(specifier)
  throw new Error(
    `${specifier} cannot be loaded here: let your bundler resolve @guild-ledger/mock-server with the condition "browser".`,
  )
}

const handlersOfMsw = (): { http: Http } => {
  try {
    return required('msw/http') as { http: Http }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    const help = 'add it with "npm install --save-dev msw@3", or use mock.fetch or startMockServer, which do without.'
    throw new Error(`mock.handlers needs MSW, which is not installed: ${help}`, { cause: error })
  }
}

/** For Node, Bun and Deno: together they are half of the time that importing the mock took. */
export const lazyLibraries: Libraries = {
  faker: () => (required('@faker-js/faker/locale/en') as { faker: Faker }).faker,
  http: () => handlersOfMsw().http,
  handlersFor: 'setupServer of MSW',
}
