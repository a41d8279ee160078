import type { Copy } from '../infer/copy.ts'
import type { Solution } from '../infer/domains.ts'
import type { Candidate } from './candidate.ts'

/** The situations in which a request tests what is decided. Of several invalid parameters, one that is rejected hides the others. */
const testsOf = ({ request, place, tests }: Candidate, copy: Copy, solution: Solution): readonly string[] => {
  if (tests === undefined || !place.endsWith('several invalid')) return tests ?? [place]
  return copy.predict(request, solution, 'data').expected.status === 200 ? tests : []
}

/** The situations in which requests were sent. */
export class Coverage {
  readonly #tested = new Set<string>()

  add(candidate: Candidate, copy: Copy, solution: Solution): void {
    for (const test of testsOf(candidate, copy, solution)) this.#tested.add(test)
  }

  #count(candidate: Candidate, copy: Copy, solution: Solution): number {
    return testsOf(candidate, copy, solution).filter((test) => !this.#tested.has(test)).length
  }

  isNew(candidate: Candidate, copy: Copy, solution: Solution): boolean {
    return this.#count(candidate, copy, solution) > 0
  }

  /** The first candidate of those in most new situations; `undefined` if none is in any. */
  most(candidates: readonly Candidate[], copy: Copy, solution: Solution): Candidate | undefined {
    const counted = candidates.map((candidate) => ({ candidate, count: this.#count(candidate, copy, solution) }))
    const largest = Math.max(...counted.map(({ count }) => count))
    return counted.find(({ count }) => count > 0 && count === largest)?.candidate
  }
}
