import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describeValue } from '@guild-ledger/validation'
import { coreOf } from '../adapters/core.ts'
import { assumptionDefinitions, type AssumptionKey } from '../assumptions/values.ts'
import { guildChecks } from '../ledger/options.ts'
import type { MockLedger } from '../ledger/ledger.ts'
import type { ApiKey } from '../store/keys.ts'
import { requireArray } from './body.ts'
import type { MockClock } from './clock.ts'
import { changeChecks, describeGuild, removeGuild, updateGuild } from './guild-routes.ts'
import { expectInOrder, expectRequests, waitForRequests } from './request-routes.ts'
import { HttpError, guildOf, type AdminRequest, type Route } from './route.ts'

const existingId = (keys: readonly ApiKey[], id = ''): string => {
  if (keys.some((key) => key.id === id)) return id
  throw new HttpError(404, `There is no key ${describeValue(id)} here: see GET on the path above.`)
}

const scheduleTransactions = (request: AdminRequest) => {
  const { transactions, ...schedule } = request.fields
  const entries = requireArray('transactions', transactions)
  guildOf(request).schedule(entries as never, schedule as never)
  return { scheduled: entries.length }
}

const maxSnapshots = 100

const takeSnapshot = ({ mock, snapshots }: AdminRequest) => {
  const count = snapshots.push(mock.snapshot())
  if (count > maxSnapshots) snapshots[count - maxSnapshots - 1] = undefined
  return { id: `snapshot-${count}` }
}

const restoreSnapshot = ({ mock, snapshots, path: [id = ''] }: AdminRequest): void => {
  const snapshot = snapshots.find((one, i) => one && id === `snapshot-${i + 1}`)
  if (!snapshot) {
    throw new HttpError(404, `There is no snapshot ${describeValue(id)}: the last ${maxSnapshots} are kept.`)
  }
  mock.restore(snapshot)
}

const ofMock = ({ mock }: AdminRequest) => mock

const addStub = ({ mock, fields: { path, ...response } }: AdminRequest) => {
  mock.stub(path as never, response)
  return mock.stubs.find((stub) => stub.path === path)
}

const currentAssumptions = ({ assumptions }: MockLedger) =>
  Object.fromEntries(
    Object.entries(assumptionDefinitions).map(([key, definition]) => [
      key,
      { ...definition, current: assumptions[key as AssumptionKey] },
    ]),
  )

const clockRoute = (
  body: readonly string[],
  change: (clock: MockClock, fields: AdminRequest['fields']) => void,
): Route => ({
  body,
  run({ clock, fields }) {
    if (!clock)
      throw new HttpError(409, 'This admin API has no clock: pass the clock of the mock to createAdmin({ clock }).')
    change(clock, fields)
    return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen }
  },
})

const serviceDescription = (): unknown =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@guild-ledger/sdk/openapi.json'), 'utf8'))

const key = ['name', 'scopes', 'expiresAt', 'value']
const guild = '/_mock/guilds/{id}'

/** Every operation of the admin API, by method and path. `docs/http-server.md` has a row for each. */
export const routes: Readonly<Record<string, Route>> = {
  'GET /_mock/guilds': { run: ({ mock }) => mock.guilds.map(describeGuild) },
  'POST /_mock/guilds': {
    body: Object.keys(guildChecks),
    creates: true,
    run({ mock, fields }) {
      const created = mock.createGuild(fields)
      return { ...describeGuild(created), apiKey: created.apiKey }
    },
  },
  [`GET ${guild}`]: { run: (request) => describeGuild(guildOf(request)) },
  [`PATCH ${guild}`]: { body: Object.keys(changeChecks), run: updateGuild },
  [`DELETE ${guild}`]: { run: removeGuild },
  [`POST ${guild}/reset`]: { run: (request) => guildOf(request).reset() },

  [`GET ${guild}/keys`]: { run: (request) => guildOf(request).keys },
  [`POST ${guild}/keys`]: {
    body: key,
    creates: true,
    run: (request) => guildOf(request).createKey(request.fields as never),
  },
  [`DELETE ${guild}/keys/{keyId}`]: {
    run: (request) => guildOf(request).deleteKey(existingId(guildOf(request).keys, request.path[1])),
  },
  'GET /_mock/keys': { run: ({ mock }) => mock.unboundKeys },
  'POST /_mock/keys': { body: key, creates: true, run: ({ mock, fields }) => mock.createUnboundKey(fields as never) },
  'DELETE /_mock/keys/{keyId}': {
    run: ({ mock, path: [id] }) => mock.deleteUnboundKey(existingId(mock.unboundKeys, id)),
  },

  [`GET ${guild}/transactions`]: { run: (request) => guildOf(request).transactions },
  [`GET ${guild}/transactions/latest`]: { run: (request) => guildOf(request).transactions.slice(-20) },
  [`POST ${guild}/transactions`]: {
    body: 'json',
    creates: true,
    run: (request) => guildOf(request).add(requireArray('body', request.body) as never),
  },
  [`DELETE ${guild}/transactions`]: {
    body: ['transactionIds'],
    run: (request) =>
      guildOf(request).remove(requireArray('transactionIds', request.fields['transactionIds']) as never),
  },
  [`POST ${guild}/transactions/load`]: {
    body: 'text',
    creates: true,
    run: (request) => ({ loaded: guildOf(request).load(request.body) }),
  },
  [`POST ${guild}/transactions/schedule`]: {
    body: ['transactions', 'at', 'afterMs', 'afterRequests'],
    creates: true,
    run: scheduleTransactions,
  },

  [`GET ${guild}/faults`]: { run: (request) => guildOf(request).faults },
  [`POST ${guild}/faults`]: {
    body: 'json',
    creates: true,
    run(request) {
      guildOf(request).fault(request.body)
      return guildOf(request).faults.at(-1)
    },
  },
  [`DELETE ${guild}/faults`]: { run: (request) => guildOf(request).clearFaults() },

  [`GET ${guild}/requests`]: { run: (request) => guildOf(request).requests },
  [`POST ${guild}/requests/expect`]: expectRequests(guildOf),
  [`POST ${guild}/requests/expect-in-order`]: expectInOrder(guildOf),
  [`POST ${guild}/requests/wait`]: waitForRequests(guildOf),
  [`GET ${guild}/audit`]: { run: (request) => guildOf(request).audit() },
  'GET /_mock/requests': { run: ({ mock }) => mock.requests },
  'POST /_mock/requests/expect': expectRequests(ofMock),
  'POST /_mock/requests/expect-in-order': expectInOrder(ofMock),
  'POST /_mock/requests/wait': waitForRequests(ofMock),
  'GET /_mock/responses': { run: ({ mock }) => coreOf(mock).seen() },

  'GET /_mock/stubs': { run: ({ mock }) => mock.stubs },
  'POST /_mock/stubs': { body: ['path', 'status', 'body', 'headers'], creates: true, run: addStub },
  'DELETE /_mock/stubs': { run: ({ mock }) => mock.clearStubs() },

  'GET /_mock/assumptions': { run: ({ mock }) => currentAssumptions(mock) },
  'PATCH /_mock/assumptions': {
    body: 'json',
    run({ mock, body }) {
      mock.assume(body)
      return currentAssumptions(mock)
    },
  },

  'GET /_mock/clock': clockRoute([], () => {}),
  'POST /_mock/clock/freeze': clockRoute(['at'], (clock, { at }) => clock.freeze(at)),
  'POST /_mock/clock/advance': clockRoute(['ms'], (clock, { ms }) => clock.advance(ms as never)),
  'POST /_mock/clock/resume': clockRoute([], (clock) => clock.resume()),
  'POST /_mock/clock/reset': clockRoute([], (clock) => clock.reset()),

  'POST /_mock/snapshots': { creates: true, run: takeSnapshot },
  'POST /_mock/snapshots/{snapshotId}/restore': { run: restoreSnapshot },
  'POST /_mock/reset': {
    run({ mock, clock }) {
      mock.reset()
      clock?.reset()
    },
  },

  // A server listens only once its data are there.
  'GET /_mock/health': { run: () => ({ status: 'ready' }) },
  'GET /_mock/openapi.json': { run: serviceDescription },
}
