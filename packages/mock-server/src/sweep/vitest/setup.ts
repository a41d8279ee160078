/** Runs in each Vitest worker before the tests of a file: sets the values, and collects what each test touches. */
import { beforeEach, inject, vi } from 'vitest'
import {
  assumeVariable,
  formatAssumptions,
  setProcessWide,
  traceVariable,
  type TraceEvent,
} from '../../assumptions/index.ts'
import { summarize } from '../trace-summary.ts'
import type { Values } from '../types.ts'
import { settingsName, type TestTrace, type WorkerSettings } from './settings.ts'

const { assumptions, valuesByTest, trace, testTimeoutMs, folder } = inject(settingsName as never) as WorkerSettings
const inNode = globalThis.process?.versions?.node !== undefined

// Processes that tests start get the same values.
const traceFile =
  inNode && trace ? (await import('../trace-file.ts')).traceFileAt(`${folder}/${process.pid}.ndjson`) : undefined
if (inNode) process.env[traceVariable] = traceFile?.path ?? ''
const notes = inNode ? (await import('./running-tests.ts')).createTestNotes(folder) : undefined
if (testTimeoutMs !== undefined) vi.setConfig({ testTimeout: testTimeoutMs, hookTimeout: testTimeoutMs })

/** Events outside any test, such as in `beforeAll`: they concern every test that ends later. */
const ofFile: TraceEvent[] = []
/** Events of each running test; concurrent tests share them. */
const running = new Map<string, TraceEvent[]>()
/** The tests of this file that started. */
const started = new Set<string>()
/** Whether tests share a mock, or its values are not those of one test. */
let sharesMocks = false
/** Whether a test of an earlier file created a mock that this file uses. */
let borrowsMocks = false

type Receive = (event: TraceEvent, creator?: string) => void

/** Where the function is that receives events: without isolation, a mock may be older than the file that runs. */
const slot = Symbol.for('guild-ledger-mock.sweep-receive')
const ofWorker = globalThis as { [slot]?: Receive }
ofWorker[slot] = (event, creator) => {
  if (creator !== undefined && !started.has(creator)) borrowsMocks = true
  if (creator === undefined || running.size !== 1 || !running.has(creator)) sharesMocks = true
  if (running.size === 0) ofFile.push(event)
  for (const events of running.values()) events.push(event)
}

/** Receives events of mocks that were created while `creator` ran, or outside any test. */
const listenerOf =
  (creator?: string) =>
  (event: TraceEvent): void =>
    ofWorker[slot]?.(event, creator)

/** Sets the values of every mock that is created from now on. */
const start = (values: Values, creator?: string): void => {
  if (inNode) process.env[assumeVariable] = formatAssumptions(values)
  setProcessWide({ assumptions: values, ...(trace && { onTrace: listenerOf(creator) }) })
}

start(assumptions)
beforeEach(({ task, signal, onTestFinished }) => {
  notes?.started(task.id)
  traceFile?.take().forEach(listenerOf())
  started.add(task.id)
  running.set(task.id, [])
  start(valuesByTest[task.id] ?? assumptions, task.id)
  // Vitest calls it after all that the test itself registers, after `afterEach`, and after the fixtures' end.
  onTestFinished(() => {
    traceFile?.take().forEach(listenerOf())
    const summary = summarize([...ofFile, ...(running.get(task.id) ?? [])])
    const ofTest: TestTrace = { ...summary, sharesMocks, borrowsMocks }
    if (trace) Object.assign(task.meta, { [settingsName]: ofTest })
    running.delete(task.id)
    start(assumptions)
    // A test that is cancelled has not ended.
    if (!signal.aborted) notes?.ended(task.id)
  })
})
