import { getEventListeners } from 'node:events'
import { createVirtualTime, type VirtualTime } from '@guild-ledger/test-kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AcquireOptions, Permit } from './throttle.ts'
import { createWaiters } from './waiters.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const permit: Permit = { release() {} }

const waitersOf = (time: VirtualTime, { maxQueue = Infinity, create = createWaiters, onCheck = () => {} } = {}) => {
  const clock = {
    ...time.clock,
    clearTimeout(timer: unknown) {
      if (timer === undefined) throw new TypeError('this clock clears no timer that was not set')
      time.clock.clearTimeout(timer)
    },
  }
  const onLongWait = vi.fn<(waitedMs: number) => void>()
  const onLeave = vi.fn<() => void>()
  const waiters = create({ clock, maxQueue: () => maxQueue, onLeave, onCheck, onLongWait })
  /** How a call ended: `granted`, or why not. */
  const wait = (options: AcquireOptions = {}) =>
    waiters.add(options).then(
      () => 'granted',
      (error: unknown) => error,
    )
  return { waiters, wait, onLongWait, onLeave }
}

describe('calls that wait', () => {
  it('leave nothing behind when they are granted', async () => {
    const time = createVirtualTime()
    const { signal } = new AbortController()
    const { waiters, wait, onLeave } = waitersOf(time)
    const waiting = [wait(), wait({ timeoutMs: 1000 }), wait({ signal, priority: 'background' })]

    for (let i = 0; i < 3; i++) waiters.grant(permit)
    waiters.grant(permit)

    expect(await Promise.all(waiting)).toEqual(['granted', 'granted', 'granted'])
    expect([waiters.size, time.timers, getEventListeners(signal, 'abort').length]).toEqual([0, 0, 0])
    expect(onLeave).not.toHaveBeenCalled()
  })

  it('are all rejected with one reason, and leave nothing behind', async () => {
    const time = createVirtualTime()
    const { signal } = new AbortController()
    const { waiters, wait } = waitersOf(time)
    const waiting = [wait({ timeoutMs: 1000 }), wait({ signal }), wait({ priority: 'background' })]
    const reason = new Error('unavailable')

    waiters.rejectAll(reason)

    expect(await Promise.all(waiting)).toEqual([reason, reason, reason])
    expect([waiters.size, time.timers, getEventListeners(signal, 'abort').length]).toEqual([0, 0, 0])
  })

  it('are rejected by a signal that another call shared, which was granted before', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { waiters, wait } = waitersOf(createVirtualTime())
    const waiting = [wait({ signal }), wait({ signal })]
    waiters.grant(permit)

    controller.abort('not needed')

    expect(await Promise.all(waiting)).toEqual(['granted', 'not needed'])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('are rejected by a signal that an earlier call used', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { waiters, wait, onLeave } = waitersOf(createVirtualTime())
    const first = wait({ signal })
    waiters.grant(permit)
    const second = wait({ signal })

    controller.abort('not needed')

    expect([await first, await second]).toEqual(['granted', 'not needed'])
    expect(onLeave).toHaveBeenCalledOnce()
  })

  it('set no timer for a time limit that never ends', () => {
    const time = createVirtualTime()
    const { wait } = waitersOf(time)

    void wait({ priority: 'background', timeoutMs: Infinity })
    expect(time.timers).toBe(0)
    void wait({ priority: 'background', timeoutMs: 1000 })
    expect(time.timers).toBe(1)
  })

  it('say that their time ran out in the queue', async () => {
    const time = createVirtualTime()
    const { wait, waiters } = waitersOf(time)
    await time.run(500)
    const call = wait({ timeoutMs: 250 })

    await time.run()

    expect(await call).toMatchObject({ code: 'timeout', phase: 'queue', timeoutMs: 250 })
    expect([time.now(), waiters.size]).toEqual([750, 0])
  })

  it('are not too many where they are background work', async () => {
    const { wait, waiters } = waitersOf(createVirtualTime(), { maxQueue: 0 })

    void wait({ priority: 'background' })

    expect(await wait()).toMatchObject({ code: 'queue_full' })
    expect([waiters.count('background'), waiters.count('interactive')]).toEqual([1, 0])
  })
})

describe('a long wait', () => {
  it('is reported of a single call, five seconds after it began', async () => {
    const time = createVirtualTime()
    const { wait, onLongWait } = waitersOf(time)
    await time.run(700)
    void wait()

    await time.run(5699)
    expect(onLongWait).not.toHaveBeenCalled()
    await time.run(5700)

    expect(onLongWait.mock.calls).toEqual([[5000]])
  })

  it('is reported of a call that joined when another one waited, which left since', async () => {
    const time = createVirtualTime()
    const { wait, waiters, onLongWait } = waitersOf(time)
    void wait()
    time.at(2000, () => void wait())
    time.at(3000, () => waiters.grant(permit))

    await time.run(6999)
    expect(onLongWait).not.toHaveBeenCalled()
    await time.run(10_000)

    expect(onLongWait.mock.calls).toEqual([[5000]])
  })

  it('is reported again once no interactive call has waited in between', async () => {
    const time = createVirtualTime()
    const { wait, waiters, onLongWait } = waitersOf(time)
    void wait()
    await time.run(6000)
    void wait()
    await time.run(20_000)
    waiters.grant(permit)
    waiters.grant(permit)
    void wait()
    await time.run(30_000)

    expect(onLongWait.mock.calls).toEqual([[5000], [5000]])
  })
})

describe('a long wait that was reported', () => {
  it('is not reported again when background calls join', async () => {
    const time = createVirtualTime()
    const { wait, onLongWait } = waitersOf(time)
    void wait()
    await time.run(6000)

    for (let i = 0; i < 20; i++) void wait({ priority: 'background' })
    await time.run(20_000)

    expect(onLongWait.mock.calls).toEqual([[5000]])
  })

  it('is not reported again by a timer that could not be cleared', async () => {
    const time = createVirtualTime()
    const lasting = { ...time, clock: { ...time.clock, clearTimeout: () => {} } }
    const { wait, waiters, onLongWait } = waitersOf(lasting)
    void wait()
    await time.run(1000)
    waiters.grant(permit)
    void wait()

    await time.run(20_000)

    expect(onLongWait.mock.calls).toEqual([[5000]])
  })
})

describe('where timers die with requests', () => {
  const onWorkers = async (time: VirtualTime, onCheck: () => void) => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    vi.resetModules()
    return waitersOf(time, { create: (await import('./waiters.ts')).createWaiters, onCheck })
  }

  it('a call checks every 50 ms whether it may pass, and no longer once it has left', async () => {
    const time = createVirtualTime()
    const checks: number[] = []
    const { wait, waiters } = await onWorkers(time, () => {
      checks.push(time.now())
      if (time.now() === 150) waiters.grant(permit)
    })
    const call = wait({ priority: 'background' })

    await time.run()

    expect(await call).toBe('granted')
    expect(checks).toEqual([50, 100, 150])
    expect(time.timers).toBe(0)
  })

  it('a timer that another request could not clear does nothing', async () => {
    const time = createVirtualTime()
    const onCheck = vi.fn<() => void>()
    const lasting = { ...time, clock: { ...time.clock, clearTimeout: () => {} } }
    const { wait, waiters } = await onWorkers(lasting, onCheck)
    const call = wait({ priority: 'background' })
    waiters.grant(permit)

    await time.run()

    expect(await call).toBe('granted')
    expect(onCheck).not.toHaveBeenCalled()
  })

  /** Two calls wait, of which the timers of the first do not fire. Every check asks who is next. */
  const afterOneThatIsHeldUp = async (time: VirtualTime, first: AcquireOptions) => {
    let isHeldUp = true
    const setTimeout: VirtualTime['clock']['setTimeout'] = (callback, ms) =>
      isHeldUp ? {} : time.clock.setTimeout(callback, ms)
    const clock = { ...time.clock, setTimeout, clearTimeout: () => {} }
    const of = await onWorkers({ ...time, clock }, () => void of.waiters.next())
    const call = of.wait(first).then((outcome) => [outcome, time.now()] as const)
    isHeldUp = false
    return { ...of, call, other: of.wait() }
  }

  it('a call that has not checked for half a second loses its place, and waits again if it lives', async () => {
    const time = createVirtualTime()
    const { waiters, call, other } = await afterOneThatIsHeldUp(time, {})

    await time.run(5000)
    expect(waiters.size).toBe(2)
    waiters.grant(permit)

    expect(await other).toBe('granted')
    expect(waiters.size).toBe(1)
    time.at(6000, () => waiters.grant(permit))
    await time.run()
    expect(await call).toEqual(['granted', 6000])
  })

  it('the time limit of a call goes on while it waits again', async () => {
    const time = createVirtualTime()
    const { call } = await afterOneThatIsHeldUp(time, { timeoutMs: 3000 })

    await time.run(10_000)

    expect(await call).toMatchObject([{ code: 'timeout', phase: 'queue', timeoutMs: 3000 }, 3000])
  })

  it('calls that have not checked for half a second do not fill the queue', async () => {
    const time = createVirtualTime()
    const clock = { ...time.clock, setTimeout: () => ({}) }
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    vi.resetModules()
    const { createWaiters: create } = await import('./waiters.ts')
    const { wait, waiters } = waitersOf({ ...time, clock }, { create, maxQueue: 2 })
    void wait()
    void wait()
    expect(await wait()).toMatchObject({ code: 'queue_full' })

    await time.run(501)
    void wait()

    expect(waiters.size).toBe(1)
  })

  it('elsewhere no call checks by itself', async () => {
    const time = createVirtualTime()
    const onCheck = vi.fn<() => void>()
    void waitersOf(time, { onCheck }).wait({ priority: 'background' })

    await time.run()

    expect(onCheck).not.toHaveBeenCalled()
  })
})
