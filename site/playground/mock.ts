/** The mock server without MSW, and with the part of faker that it uses: the same transactions, in a quarter of the bytes. */
import { Faker, type CommerceProductNameDefinition } from '@faker-js/faker'
import type { MockLedger, MockLedgerOptions } from '../../packages/mock-server/src/index.ts'
import { createMockLedgerWith } from '../../packages/mock-server/src/ledger/create-ledger.ts'
import type { Libraries } from '../../packages/mock-server/src/libraries.ts'
import type { Scenario } from './scenarios.ts'

/** Set by the build: the only words of faker's English that seeded transactions have. */
declare const productNameWords: CommerceProductNameDefinition

const faker = new Faker({ locale: { commerce: { product_name: productNameWords } } })
const libraries: Libraries = {
  faker: () => faker as unknown as ReturnType<Libraries['faker']>,
  http() {
    throw new Error('The playground has no MSW: use mock.clientOptions or mock.fetch.')
  },
  handlersFor: 'mock.fetch',
}

/** What happens after the first response of the mocks, once each. */
export const afterFirstResponse: (() => void)[] = []

/** Returns a `createMockLedger` whose mocks behave as the scenario says, and explain their responses. */
export const createMockLedgerIn =
  (scenario: Scenario) =>
  (options: MockLedgerOptions = {}): MockLedger => {
    const assumptions = { ...scenario.assumptions, ...options.assumptions }
    const mock = createMockLedgerWith(libraries, { explain: true, ...options, assumptions })
    scenario.prepare?.(mock.guild)
    if (scenario.afterFirstResponse) afterFirstResponse.push(() => scenario.afterFirstResponse?.(mock.guild))
    return mock
  }
