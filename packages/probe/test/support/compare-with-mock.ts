import { assume, type ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createRandom } from '@guild-ledger/test-kit'
import { Aspects, parts } from '../../src/infer/aspects.ts'
import { Copy } from '../../src/infer/copy.ts'
import { kindsOf, nameOf } from '../../src/infer/kinds.ts'
import { failingIn } from '../../src/infer/observation.ts'
import { targetOf } from '../../src/read/service.ts'
import type { Probed, ProbeReport } from '../../src/types.ts'
import type { Respond } from './random-service.ts'

/** Valid requests with random filters, orders and pages about a ledger. */
export const randomRequests = (entries: readonly LedgerEntry[], seed: number, count: number): ModelRequest[] => {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const far = Date.UTC(1000, 0)
  const around = ({ createdAt }: LedgerEntry) =>
    new Date(Date.parse(createdAt) + pick([-1000, -1, 0, 1, 1000, -far])).toISOString()
  const parameters: Readonly<Record<string, (entry: LedgerEntry) => string>> = {
    limit: () => pick(['1', '2', '5', '10', '50', '100']),
    page: () => pick(['1', '2', '3', '9']),
    sortBy: () => pick(['createdAt', 'amount', 'quantity', 'total', 'name']),
    sortOrder: () => pick(['asc', 'desc']),
    from: ({ source }) => pick([source, source.slice(1), source.slice(0, 3), source.toUpperCase()]) || 'shop',
    startDate: around,
    endDate: around,
    minAmount: ({ amount }) => String(Math.max(0, amount)),
    maxAmount: ({ amount }) => String(Math.max(0, amount)),
    platformId: ({ platformId }) => platformId,
  }
  return Array.from({ length: count }, (): ModelRequest => {
    const [endpoint, { platformId }] = [pick(['guild', 'user'] as const), pick(entries)]
    const isAllowed = (pair: string) => endpoint === 'guild' || !/^platformId=|^sortBy=name$/.test(pair)
    const query = Object.entries(parameters)
      .filter(() => random() < 0.3)
      .map(([name, of]) => [name, of(pick(entries))] as const)
      .filter((pair) => isAllowed(pair.join('=')))
    return { endpoint, ...(endpoint === 'user' && { platformId }), query: Object.fromEntries(query) }
  })
}

const invalidTexts: Readonly<Record<string, readonly string[]>> = {
  page: ['0', '-3', 'x', '', '2.5', '7abc'],
  limit: ['0', '-1', '101', '5000', 'ten', '', '3.5', '9x'],
  minAmount: ['-5', 'much', '', '3x'],
  maxAmount: ['-0.5', 'all', '', '3x'],
  startDate: ['yesterday', '', '1700000000', '2026-02-31', '2026-01-02', '2026-01-02T03:04:05'],
  endDate: ['tomorrow', '', '1800000000', '2026-13-01', '2026-01-03', '2026-01-03T03:04:05'],
  sortBy: ['id', '', 'TOTAL', 'platformId'],
  sortOrder: ['down', '', 'DESC', 'descending'],
}

/** Requests with one value that the spec does not allow. */
export const invalidRequests = (entries: readonly LedgerEntry[], seed: number, count: number): ModelRequest[] => {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  return Array.from({ length: count }, (): ModelRequest => {
    const [endpoint, { platformId }] = [pick(['guild', 'user'] as const), pick(entries)]
    const names = Object.keys(invalidTexts).filter((name) => endpoint === 'guild' || !name.endsWith('Date'))
    const name = pick(names)
    const query = { ...(name !== 'limit' && random() < 0.5 && { limit: '5' }), [name]: pick(invalidTexts[name] ?? []) }
    return { endpoint, ...(endpoint === 'user' && { platformId }), query }
  })
}

/**
 * Compares a service with a mock made from the report of a probe. What the report does not decide, or what the ledger does
 * not show, is left out.
 */
export const compareWithMock = (
  { report, entries }: { report: Pick<ProbeReport, 'values' | 'inexplicable' | 'kinds'>; entries: Probed['entries'] },
  respond: Respond,
  requests: readonly ModelRequest[],
): { readonly compared: number; readonly different: readonly string[] } => {
  const copy = new Copy(entries)
  const solution = { ...assume(report.values) }
  const isInexplicable = (aspect: string) => report.inexplicable.some((one) => one.aspect === aspect)
  const isExcepted = (request: ModelRequest) =>
    kindsOf(request).some((kind) => report.kinds.some((one) => one.kind === nameOf(kind)))
  let compared = 0
  const different = requests.flatMap((request) => {
    if (isExcepted(request)) return []
    const target = targetOf(request)
    const { status, body } = respond(target)
    const observed = new Aspects(status, JSON.parse(body))
    return parts.flatMap((part) => {
      const { expected, reads } = copy.predict(request, solution, part)
      if (reads.some((key) => report.values[key] === undefined)) return []
      compared += copy.shown(request, solution, part).length
      return failingIn({ request, observed, copies: [copy] }, part, solution)
        .filter((aspect) => !isInexplicable(aspect))
        .map((aspect) => `${aspect} of ${target}: ${observed.of(aspect)}, not ${expected.of(aspect)}`)
    })
  })
  return { compared, different }
}
