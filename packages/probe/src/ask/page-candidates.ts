import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { largestPage } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Window } from '../read/ledger.ts'
import type { Candidate } from './candidate.ts'
import { nobody } from './texts.ts'

/** Requests for high pages. */
export const pageCandidates = (
  entries: readonly LedgerEntry[],
  pages: readonly number[],
  window?: Window,
): Candidate[] => {
  const platformId = entries[0]?.platformId ?? nobody
  return pages.flatMap((page): Candidate[] => [
    { place: 'page number', request: { endpoint: 'guild', query: { page: String(page), limit: '1', ...window } } },
    { place: 'user page number', request: { endpoint: 'user', platformId, query: { page: String(page), limit: '1' } } },
  ])
}

/** Requests that test the largest page: at it and above it, with other sizes of pages, on both endpoints. */
export const pageChecks = (
  { entries, window }: { readonly entries: readonly LedgerEntry[]; readonly window: Window | undefined },
  { blamed, domains }: Pick<Inference, 'blamed' | 'domains'>,
): Candidate[] => {
  const platformId = entries[0]?.platformId ?? nobody
  const [most = null] = blamed.has('maxPage') ? [] : (domains.get('maxPage') ?? [])
  const pages = typeof most === 'number' ? [most + 1, most] : [largestPage]
  return pages.map(String).flatMap((page, i): Candidate[] => [
    { place: `page number ${i}`, request: { endpoint: 'guild', query: { page, limit: '100', ...window } } },
    { place: `user page number ${i}`, request: { endpoint: 'user', platformId, query: { page, limit: '1' } } },
  ])
}
