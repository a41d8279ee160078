import { tracingChannel } from 'node:diagnostics_channel'
import { afterEach, expect, it, vi } from 'vitest'
import { startTrace, traced } from './trace.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules() // later files of this process import the module of this runtime
})

it('numbers the calls of a process after a few random letters and digits', () => {
  const [first, second] = [startTrace('/a'), startTrace('/b')]

  expect(first).toEqual({
    callId: expect.stringMatching(/^[0-9a-z]{1,6}-\d+$/),
    method: 'GET',
    endpoint: '/a',
    attempts: 0,
    queuedMs: 0,
  })
  const [processId, number] = first.callId.split('-')
  expect(second.callId).toBe(`${processId}-${Number(number) + 1}`)
})

it('runs the work itself where nobody subscribes', async () => {
  const work = vi.fn(async () => 7)

  expect(await traced(startTrace('/a'), work)).toBe(7)
  expect(work).toHaveBeenCalledExactlyOnceWith()
})

it('publishes the start of the work to those who subscribe to guild-ledger:request', async () => {
  const start = vi.fn()
  const channel = tracingChannel('guild-ledger:request')
  channel.subscribe({ start } as never)
  const trace = startTrace('/a')

  expect(await traced(trace, async () => 7)).toBe(7)

  channel.unsubscribe({ start } as never)
  expect(start).toHaveBeenCalledExactlyOnceWith(trace, 'tracing:guild-ledger:request:start')
})

it.each([
  ['process', undefined],
  ['getBuiltinModule', {}],
  ['node:diagnostics_channel', { getBuiltinModule: () => undefined }],
])('runs the work itself in a runtime without %s', async (_what, process) => {
  vi.resetModules()
  vi.stubGlobal('process', process)
  const inRuntime = await import('./trace.ts')

  expect(await inRuntime.traced(inRuntime.startTrace('/a'), async () => 7)).toBe(7)
})

it('publishes to the channel of its name in the module of the runtime', async () => {
  const tracePromise = vi.fn((work: () => unknown) => work())
  const createChannel = vi.fn(() => ({ hasSubscribers: true, tracePromise }))
  const getBuiltinModule = vi.fn(() => ({ tracingChannel: createChannel }))
  vi.resetModules()
  vi.stubGlobal('process', { getBuiltinModule })
  const inRuntime = await import('./trace.ts')
  const [work, trace] = [async () => 7, inRuntime.startTrace('/a')]

  expect(await inRuntime.traced(trace, work)).toBe(7)

  expect(getBuiltinModule).toHaveBeenCalledWith('node:diagnostics_channel')
  expect(createChannel).toHaveBeenCalledWith('guild-ledger:request')
  expect(tracePromise).toHaveBeenCalledWith(work, trace)
})
