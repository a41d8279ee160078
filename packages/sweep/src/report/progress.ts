import type { SweepProgress } from '../sweep.ts'

const everyMs = 10_000

/** Prints progress: one line that changes on a terminal, a line every ten seconds elsewhere. */
export const createProgress = (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) => {
  const started = performance.now()
  let next = started
  return {
    show({ label, done, total }: SweepProgress): void {
      const now = performance.now()
      if (!stream.isTTY && now < next) return
      next = now + everyMs
      const left = done < 3 ? '' : `, about ${Math.ceil(((now - started) / done / 1000) * (total - done))} s left`
      const line = total === 0 ? `sweep: ${label}` : `sweep ${done + 1}/${total}: ${label}${left}`
      stream.write(stream.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
    },
    end(): void {
      if (stream.isTTY) stream.write('\r\u001B[K')
    },
  }
}
