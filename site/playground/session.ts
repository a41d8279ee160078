/** One run of a snippet as the page sees it: starts the worker, and stops it when it does not end. */
import type { Message, Start } from './messages.ts'

/** How a run ended: the snippet by itself, with an error, or stopped, with the reason. */
export interface Ending {
  readonly kind: 'finished' | 'failed' | 'stopped'
  readonly text: string
}

/** A worker that sends nothing for so long is in a loop that never pauses. */
const blockedMs = 4000
const limitMs = 15_000
const waits = 'The snippet waits for a promise that never settles.'
const runs = 'A timer or a watch was still running. A watch runs until `break`, `watch.return()` or `ledger.close()`.'

/** Starts a run. Returns what stops it. */
export const start = (
  given: Start,
  onMessage: (message: Message) => void,
  onEnd: (ending: Ending) => void,
): (() => void) => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  let startedAt = Infinity
  let aliveAt = Infinity
  let isIdle = false
  const end = (kind: Ending['kind'], text: string) => {
    clearInterval(timer)
    worker.terminate()
    onEnd({ kind, text })
  }
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - aliveAt > blockedMs) {
      end(
        'stopped',
        `Stopped after ${blockedMs / 1000} seconds in which the snippet never paused: is it in an endless loop?`,
      )
    } else if (now - startedAt > limitMs) {
      end('stopped', `Stopped after ${limitMs / 1000} seconds. ${isIdle ? waits : runs}`)
    }
  }, 100)
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    aliveAt = performance.now()
    if (data.type === 'started') startedAt = aliveAt
    if (data.type === 'alive') isIdle = data.isIdle
    if (data.type !== 'ended') onMessage(data)
    else if (data.error === undefined)
      end('finished', `Finished after ${((aliveAt - startedAt) / 1000).toFixed(1)} seconds.`)
    else end('failed', data.error)
  })
  worker.addEventListener('error', () => end('failed', 'The playground could not be loaded. Are you offline?'))
  worker.postMessage(given)
  return () => end('stopped', 'Stopped.')
}
