import type { SweepProgress } from '../sweep/index.ts'

const everyMs = 10_000

/** Prints progress: one line that changes on a terminal, a line every ten seconds elsewhere. */
export const createSweepProgress = (
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  now: () => number = () => performance.now(),
): { show(progress: SweepProgress): void; end(): void } => {
  let next = now()
  return {
    show({ label, done, total, secondsLeft }) {
      if (!stream.isTTY && now() < next) return
      next = now() + everyMs
      const left = secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`
      const line = `sweep ${done + 1}/${total}: ${label.slice(0, 60)}${left}`
      stream.write(stream.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001B[K')
    },
  }
}
