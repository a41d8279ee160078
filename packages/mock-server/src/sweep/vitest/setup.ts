/** Runs in each Vitest worker before the tests of a file: sets the values, and collects what each test touches. */
import { afterEach, beforeEach, inject, vi } from 'vitest'
import {
  assumeVariable,
  formatAssumptions,
  setProcessWide,
  traceVariable,
  type TraceEvent,
} from '../../assumptions/index.ts'
import { summarize } from '../trace-summary.ts'
import { settingsName, type WorkerSettings } from './settings.ts'

const { assumptions, trace, testTimeoutMs, folder } = inject(settingsName as never) as WorkerSettings
const inNode = globalThis.process?.versions?.node !== undefined

// Processes that tests start get the same values.
const traceFile =
  inNode && trace ? (await import('../trace-file.ts')).traceFileAt(`${folder}/${process.pid}.ndjson`) : undefined
if (inNode) {
  process.env[assumeVariable] = formatAssumptions(assumptions)
  process.env[traceVariable] = traceFile?.path ?? ''
}
if (testTimeoutMs !== undefined) vi.setConfig({ testTimeout: testTimeoutMs, hookTimeout: testTimeoutMs })

/** Events outside any test, such as in `beforeAll`: they concern every test that ends later. */
const ofFile: TraceEvent[] = []
/** Events of each running test; concurrent tests share them. */
const running = new Map<string, TraceEvent[]>()
const receive = (event: TraceEvent): void => {
  if (running.size === 0) ofFile.push(event)
  for (const events of running.values()) events.push(event)
}
setProcessWide({ assumptions, ...(trace && { onTrace: receive }) })

if (trace) {
  beforeEach(({ task }) => {
    traceFile?.take().forEach(receive)
    running.set(task.id, [])
  })
  afterEach(({ task }) => {
    traceFile?.take().forEach(receive)
    Object.assign(task.meta, { [settingsName]: summarize([...ofFile, ...(running.get(task.id) ?? [])]) })
    running.delete(task.id)
  })
}
