import { styleText } from 'node:util'

/** Reports the progress of a long operation. */
export interface Progress {
  /** `share` is from 0 to 1, where it is known. */
  report(transactions: number, share: number | undefined): void
  end(): void
}

// A terminal shows one line that changes. A file would fill with lines, so they are few, and none for a short operation.
const onTerminal = { firstMs: 100, everyMs: 100 } as const
const elsewhere = { firstMs: 2000, everyMs: 5000 } as const

export const noProgress: Progress = { report() {}, end() {} }

export const createProgress = (
  stream: NodeJS.WriteStream,
  label: string,
  now: () => number = () => performance.now(),
): Progress => {
  const { isTTY } = stream
  const { firstMs, everyMs } = isTTY ? onTerminal : elsewhere
  let next = now() + firstMs
  let hasLine = false
  return {
    report(transactions, share) {
      if (now() < next) return
      next = now() + everyMs
      const percent = share === undefined ? '' : `, ${Math.floor(share * 100)} %`
      const line = `${label}: ${transactions} transactions${percent}`
      hasLine = true
      stream.write(isTTY ? `\r${styleText('dim', line, { stream })}\u001B[K` : `${line}\n`)
    },
    end() {
      if (hasLine && isTTY) stream.write('\r\u001B[K')
    },
  }
}
