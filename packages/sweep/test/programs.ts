import {
  alternativesTo,
  assume,
  formatAssumptions,
  loadLedger,
  recordReads,
  respond,
  type AssumptionKey,
  type ModelRequest,
  type TraceEvent,
} from '@guild-ledger/mock-server/assumptions'
import * as fc from 'fast-check'
import { summarize } from '../src/run/trace.ts'
import type { Runner, RunRequest, TestRun, Values } from '../src/types.ts'

const transaction = (id: number) => ({
  transactionId: `0000000${id}-0000-4000-8000-000000000000`,
  platformId: `u${(id * 2) % 3}`,
  name: ['apple', 'Banana', 'cherry'][id % 3] ?? '',
  source: ['shop', 'Shop', 'workshop', 'quest'][id % 4] ?? '',
  amount: id,
  quantity: id % 3,
  total: 10 - id,
  createdAt: `2026-01-01T00:00:0${id % 4}.000Z`,
})
const ledger = loadLedger([5, 1, 4, 2, 6, 3].map(transaction))

const texts = (...all: string[]) => fc.constantFrom(...all)
const request: fc.Arbitrary<ModelRequest> = fc.record({
  endpoint: fc.constantFrom('guild', 'user'),
  platformId: texts('u0', 'u1', 'nobody'),
  query: fc.record(
    {
      page: texts('1', '2', '0', '9'),
      limit: texts('1', '2', '101'),
      from: texts('shop', 'quest', 'none'),
      minAmount: texts('2', '5'),
      maxAmount: texts('4'),
      startDate: texts('2026-01-01T00:00:02Z', '2026-01-01', '2026-01-01T00:00:01'),
      endDate: texts('2026-01-01T00:00:02Z'),
      sortBy: texts('name', 'amount', 'createdAt'),
      sortOrder: fc.oneof(texts('asc'), fc.constant(['asc', 'desc'])),
      extra: texts('1'),
    },
    { requiredKeys: [] },
  ),
  key: fc.constantFrom('valid', 'valid', 'valid', 'expired', 'unscoped', 'lapsed'),
})

/** A test: it sends requests, some only because of what an earlier response was, and looks at parts of the responses. */
export interface Program {
  readonly steps: readonly { readonly request: ModelRequest; readonly looksAt: number; readonly onlyIfEven: boolean }[]
  /** Fails if what it saw, as a number, has this remainder. */
  readonly remainder: number
}

const step = fc.record({ request, looksAt: fc.nat({ max: 3 }), onlyIfEven: fc.boolean() })
export const program: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  remainder: fc.nat({ max: 3 }),
})

/** What a program looks at: the status, the first item, the totals, or everything. */
const seen = (response: ReturnType<typeof respond>, looksAt: number): string => {
  const text = JSON.stringify(response.body)
  return [String(response.status), text.slice(0, 150), text.slice(-120), text][looksAt] ?? ''
}
const hashOf = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) % 1_000_003
  return hash
}

/** Runs programs as a test runner would, each over the function that mocks respond with. */
export const createProgramRunner = (programs: readonly Program[]) => {
  const counts = { tests: 0 }
  const run = ({ steps, remainder }: Program, name: string, values: Values, traced: boolean): TestRun => {
    counts.tests++
    const assumptions = assume(values)
    const events: TraceEvent[] = []
    let total = 0
    for (const { request: sent, looksAt, onlyIfEven } of steps) {
      if (onlyIfEven && total % 2 === 1) continue
      const response = respond(ledger, sent, assumptions)
      const text = JSON.stringify(response)
      const read = new Set<AssumptionKey>()
      // A page computes some of its parts only when they are read.
      if (traced) JSON.stringify(respond(ledger, sent, recordReads(assumptions, read)))
      const touched = alternativesTo(assumptions).filter(
        ({ key, value }) =>
          read.has(key) && JSON.stringify(respond(ledger, sent, { ...assumptions, [key]: value })) !== text,
      )
      events.push({ of: 'response', inForce: values, touched, pinned: [] })
      total = (total * 7 + hashOf(seen(response, looksAt))) % 1_000_003
    }
    const status = total % 4 === remainder ? 'failed' : 'passed'
    return { name, file: name, status, durationMs: 1, trace: summarize(events) }
  }
  const runner = {
    name: 'programs',
    selects: true,
    run: async ({ values, files, tests, traced = true }: RunRequest & { traced?: boolean }) =>
      programs.flatMap((one, at) => {
        const name = `program ${at}`
        return (files ?? tests)?.has(name) === false ? [] : [run(one, name, values, traced)]
      }),
    replay: (test: string, values: Values) => `${test} ${formatAssumptions(values)}`,
    close: async () => {},
  } satisfies Runner
  /** The values that each program breaks under, from running all under all. */
  const fullMatrix = async (): Promise<string[]> => {
    const passes = async (values: Values = {}) =>
      new Set(
        (await runner.run({ values, traced: false }))
          .filter(({ status }) => status === 'passed')
          .map(({ name }) => name),
      )
    const before = await passes()
    const found: string[] = []
    for (const { key, value } of alternativesTo(assume())) {
      const after = await passes({ [key]: value })
      for (const name of before) if (!after.has(name)) found.push(`${name} ${formatAssumptions({ [key]: value })}`)
    }
    return found.toSorted()
  }
  return { runner, fullMatrix, counts }
}
