/** Waits `ms` milliseconds; rejects with the signal's reason when it fires. Leaves neither timer nor listener behind. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const stop = () => {
      end()
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      end()
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
