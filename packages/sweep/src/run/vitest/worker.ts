/** Runs in each Vitest worker before the tests of a file: sets the values, and collects what the mocks tell about each test. */
import {
  assumeVariable,
  formatAssumptions,
  setProcessWide,
  traceVariable,
  type TraceEvent,
} from '@guild-ledger/mock-server/assumptions'
import { aroundEach, inject, vi } from 'vitest'
import { summarize } from '../trace.ts'
import { settingsName, type WorkerSettings } from './settings.ts'

const { values, testMs, folder } = inject(settingsName as never) as WorkerSettings
// A page has neither files nor processes, and does not tell which test code runs for.
const inNode = globalThis.process?.versions?.node === undefined ? undefined : await import('./worker-node.ts')
const node = inNode?.watchNode(folder)
if (testMs !== undefined) vi.setConfig({ testTimeout: testMs, hookTimeout: testMs })

/** Events outside of tests, such as in `beforeAll`: they concern every test of the file. */
const ofFile: TraceEvent[] = []
/** Events of each running test. */
const running = new Map<string, TraceEvent[]>()
/** Requests that left the test code as if to a network. */
let sent = 0

const receive = (event: TraceEvent): void => {
  if (event.via) sent++
  // A server responds in a context of its own, or in that of the test that started it.
  const test = event.via === 'network' ? undefined : node?.currentTest()
  // Work that a test left behind when it ended concerns no other test.
  if (test !== undefined) running.get(test)?.push(event)
  else if (running.size === 0) ofFile.push(event)
  else for (const events of running.values()) events.push(event)
}

/** Receives what processes told that the tests started: they have the values from their environment. */
const receiveFromProcesses = (): void => {
  for (const event of node?.takeTrace() ?? []) receive({ ...event, via: 'network' })
}

setProcessWide({ assumptions: values, onTrace: receive })
node?.setVariables({ [assumeVariable]: formatAssumptions(values) }, traceVariable)

aroundEach(async (runTest, { task, signal }) => {
  receiveFromProcesses()
  const events: TraceEvent[] = []
  const before = node?.untracedCount(sent) ?? 0
  running.set(task.id, events)
  node?.note(`+${task.id}`)
  await (node ? node.runAs(task.id, runTest) : runTest())
  receiveFromProcesses()
  running.delete(task.id)
  const untraced = (node?.untracedCount(sent) ?? 0) > before ? node?.origins : []
  Object.assign(task.meta, { [settingsName]: summarize([...ofFile, ...events], untraced) })
  // A test that is cancelled has not ended.
  if (!signal.aborted) node?.note(`-${task.id}`)
})
