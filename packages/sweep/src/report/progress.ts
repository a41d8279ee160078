import { createProgress as createLine } from '@guild-ledger/validation/command-line'
import type { SweepProgress } from '../sweep.ts'

/** Prints progress, and how long the rest will take. */
export const createProgress = (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) => {
  const started = performance.now()
  const line = createLine(stream)
  return {
    show({ label, done, total }: SweepProgress): void {
      const elapsed = performance.now() - started
      const left = done < 3 ? '' : `, about ${Math.ceil((elapsed / done / 1000) * (total - done))} s left`
      line.show(total === 0 ? `sweep: ${label}` : `sweep ${done + 1}/${total}: ${label}${left}`)
    },
    end: () => line.end(),
  }
}
