import { largestPage } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Ledger } from '../read/ledger.ts'
import type { Candidate } from './candidate.ts'
import { nobody } from './texts.ts'

/** Requests for pages that divide the numbers that the largest page may be, and that test it: at it and above it. */
export const pageCandidates = (
  { entries, window }: Pick<Ledger, 'entries' | 'window'>,
  pages: readonly number[],
  { blamed, domains }: Pick<Inference, 'blamed' | 'domains'>,
): Candidate[] => {
  const platformId = entries[0]?.platformId ?? nobody
  const both = (place: string, page: number, limit: string, tests?: readonly string[]): Candidate[] =>
    [
      { place, request: { endpoint: 'guild', query: { page: String(page), limit, ...window } } } as const,
      {
        place: `user ${place}`,
        request: { endpoint: 'user', platformId, query: { page: String(page), limit: '1' } },
      } as const,
    ].map((one) => ({ ...one, tests: tests ?? [one.place] }))
  const [most = null] = blamed.has('maxPage') ? [] : (domains.get('maxPage') ?? [])
  const checks = pages.length > 0 ? [] : typeof most === 'number' ? [most + 1, most] : [largestPage]
  return [
    ...pages.flatMap((page) => both('page number', page, '1', [])),
    ...checks.flatMap((page, i) => both(`page number ${i}`, page, '100')),
  ]
}
