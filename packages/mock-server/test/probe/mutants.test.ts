import { createMockLedger } from '@guild-ledger/mock-server'
import { afterEach, expect, it, vi } from 'vitest'
import type * as ledgerCopy from '../../src/probe/model/ledger-copy.ts'
import type * as orderConstraints from '../../src/probe/order-constraints.ts'
import { foreignServices } from './foreign-services.ts'
import { createDice, largeLedger, randomService } from './random-service.ts'
import { inferFrom, truthOf, wrongIn, type Respond } from './run-inference.ts'

vi.setConfig({ testTimeout: 240_000 })

afterEach(() => {
  vi.doUnmock('../../src/probe/model/ledger-copy.ts')
  vi.doUnmock('../../src/probe/repeat.ts')
  vi.doUnmock('../../src/probe/order-constraints.ts')
  vi.doUnmock('../../src/probe/verdicts.ts')
  vi.resetModules()
})

/** The probe with a part replaced, or as it is. */
const inferWith = async (respond: Respond, replace?: () => void) => {
  if (!replace) return inferFrom(respond)
  vi.resetModules()
  replace()
  return (await import('./run-inference.ts')).inferFrom(respond)
}

const valueOf = async (key: string, respond: Respond, replace?: () => void) => {
  const { verdictOf } = await inferWith(respond, replace)
  const { verdict, value } = verdictOf(key) ?? {}
  return verdict === 'decided' ? value : verdict
}

const assumptionDefaults = { ...createMockLedger({ transactions: 0 }).assumptions }

const serviceWith = (options: Parameters<typeof createMockLedger>[0]): Respond => {
  const mock = createMockLedger({ transactions: 120, users: 12, rateLimit: 'off', ...options })
  return (target) => mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
}

it('a probe that ignores hidden milliseconds takes what they decide for something else', async () => {
  const mutate = () =>
    vi.doMock('../../src/probe/model/ledger-copy.ts', async (original) => {
      const actual = await original<typeof ledgerCopy>()
      const createLedgerCopy: typeof actual.createLedgerCopy = (entries) => ({
        ...actual.createLedgerCopy(entries),
        hiddenMs: 0,
      })
      return { ...actual, createLedgerCopy }
    })
  const seeds = [11]
  const mistakesWith = async (replace?: () => void) => {
    let mistakes = 0
    for (const seed of seeds) {
      const { mock } = randomService(seed)
      mock.assume({ createdAtFormat: 'seconds' })
      const { verdicts } = await inferWith(
        (target) => mock.respond({ method: 'GET', target, apiKey: mock.apiKey }),
        replace,
      )
      mistakes +=
        wrongIn(verdicts, truthOf(mock.assumptions)).length +
        verdicts.filter(({ verdict }) => verdict === 'outside').length
    }
    return mistakes
  }

  expect(await mistakesWith()).toBe(0)
  expect(await mistakesWith(mutate)).toBeGreaterThan(0)
})

it('a probe that repeats no request takes an order that changes for a value', async () => {
  const service = foreignServices.find(({ title }) => title === 'orders groups at random')
  const respond = () => service?.create(largeLedger(1), assumptionDefaults) as Respond
  const mutate = () =>
    vi.doMock('../../src/probe/repeat.ts', () => ({
      repeatConflicts: async () => {},
      repeatRichest: async () => false,
    }))

  expect(await valueOf('groupOrder', respond())).toBe('outside')
  expect(await valueOf('groupOrder', respond(), mutate)).not.toBe('outside')
})

it('a probe without constraints on the order of entry decides less', async () => {
  const respond = serviceWith({ assumptions: { groupOrder: 'first-transaction' } })
  const mutate = () =>
    vi.doMock('../../src/probe/order-constraints.ts', async (original) => {
      const actual = await original<typeof orderConstraints>()
      return {
        ...actual,
        createPrecedence: () => ({ ...actual.createPrecedence(), sorted: (all: readonly string[]) => [...all] }),
        createOrderEvidence: () => {
          const evidence = actual.createOrderEvidence()
          const never = { ...evidence.users, sorted: (all: readonly string[]) => [...all] }
          return { ...evidence, users: never, ties: never, directedTies: never }
        },
      }
    })

  expect(await valueOf('groupOrder', respond)).toBe('first-transaction')
  expect(await valueOf('groupOrder', respond, mutate)).not.toBe('first-transaction')
})

it('withdraws what a held-out request contradicts', async () => {
  const { infer } = await import('../../src/probe/infer.ts')
  const { prove } = await import('../../src/probe/proof.ts')
  const { verdictsOf, decidedIn } = await import('../../src/probe/verdicts.ts')
  const { filesOf } = await import('../../src/probe/probe.ts')
  const { targetOf } = await import('../../src/probe/model/probe-request.ts')
  const respond = serviceWith({})
  const send = async (request: Parameters<typeof targetOf>[0]) => {
    const { status, body } = respond(targetOf(request))
    return { status, headers: {}, body: JSON.parse(body) as unknown }
  }
  const inference = await infer(send)
  const verdicts = verdictsOf(inference)
  const wrong = { ...decidedIn(verdicts), groupOrder: 'platform-id', summaryScope: 'page' } as const

  const proof = await prove(
    inference,
    send,
    { decided: wrong, written: wrong },
    (current) => ({ ...filesOf(current, verdicts), assumptions: JSON.stringify(wrong) }),
    createDice(7).random,
  )

  expect(proof.different).toBeGreaterThan(0)
  expect(verdictsOf(inference).filter(({ verdict }) => verdict === 'outside')).not.toEqual([])
})
