/**
 * The run in `docs/probe.md`: probes a served mock with hidden assumptions, starts a mock from the result, compares both:
 * `node … probe-recorded-run.ts [tieOrder]`.
 */
import { createMockLedger } from '../src/index.ts'
import { startMockServer } from '../src/adapters/node/server.ts'
import { reportWithFlags } from '../src/cli/probe-names.ts'
import { probeTerminalReport } from '../src/probe/index.ts'
import { probeWithData } from '../src/probe/internal.ts'
import { filesOf } from '../src/probe/probe.ts'
import { mockFrom, randomRequest } from '../src/probe/proof.ts'
import { targetOf } from '../src/probe/model/probe-request.ts'
import { verdictsOf } from '../src/probe/verdicts.ts'

const tieOrder = process.argv[2] === 'ledger' ? 'ledger' : 'transaction-id'
const assumptions = {
  groupOrder: 'platform-id',
  tieOrder,
  sourceMatch: 'contains',
  notFoundWhen: 'empty-ledger',
  emptyTotalPages: 1,
  summaryScope: 'page',
  endDateBound: 'exclusive',
  startDateBound: 'exclusive',
  userLimit: 35,
  userSortBy: 'total',
  invalidParameter: 'clamp',
  repeatedParameter: 'last',
  createdAtFormat: 'offset',
  rateLimitAlgorithm: 'sliding-window',
  rateLimitedRequestsCount: true,
  rateLimitScope: 'guild',
  rateLimitHeaders: 'none',
} as const
const live = createMockLedger({ transactions: 5000, users: 60, assumptions })
await using server = await startMockServer({ mock: live, port: 0 })
const { value: sameGuild } = live.guild.createKey({
  name: 'another',
  scopes: ['guild:read'],
  expiresAt: '2999-01-01T00:00:00Z',
})
const { report, inference } = await probeWithData({
  apiKey: live.apiKey,
  baseUrl: server.url,
  requestsPerSecond: 10,
  maxRequests: 300,
  burst: true,
  keys: { sameGuild, otherGuild: live.createGuild({ transactions: 20, seed: 2, assumptions }).apiKey },
})
process.stdout.write(probeTerminalReport(reportWithFlags(report)))

const files = filesOf(inference, verdictsOf(inference))
// The order of entry is invisible where transactions of several users have the same time.
const inOrder = { ...files, ledger: live.guild.transactions.map((entry) => `${JSON.stringify(entry)}\n`).join('') }
const mocks = [mockFrom(files), mockFrom(inOrder)]
live.guild.rateLimit = 'off'
const different = mocks.map(() => 0)
for (let i = 0; i < 1000; i++) {
  const target = targetOf(randomRequest(inference.tracker.copy, Math.random))
  const [own, ...others] = [live, ...mocks].map((one) => one.respond({ method: 'GET', target, apiKey: one.apiKey }))
  for (const [which, other] of others.entries()) {
    if (own?.status !== other.status || own.body !== other.body) different[which] = (different[which] ?? 0) + 1
  }
}
process.stdout.write(
  `1,000 random requests to the service and to the mock: ${different[0]} differ, ` +
    `${different[1]} with the transactions in the order in which they entered the service\n`,
)
