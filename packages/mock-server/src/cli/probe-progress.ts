import type { ProbeProgress } from '../probe/index.ts'

const everyMs = 10_000

/** Prints progress: one line that changes on a terminal, a line every ten seconds elsewhere. */
export const createProbeProgress = (
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  now: () => number = () => performance.now(),
): { show(progress: ProbeProgress): void; end(): void } => {
  // A short probe prints nothing elsewhere.
  let next = now() + everyMs
  return {
    show({ sent, limit, transactions, decided }) {
      if (!stream.isTTY && now() < next) return
      next = now() + everyMs
      const line = `probe: request ${sent} of at most ${limit}, ${transactions} transactions read, ${decided} assumptions decided`
      stream.write(stream.isTTY ? `\r${line}\u001B[K` : `${line}\n`)
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001B[K')
    },
  }
}
