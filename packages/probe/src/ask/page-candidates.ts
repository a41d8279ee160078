import { largestPage } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Ledger } from '../read/ledger.ts'
import type { Candidate } from './candidate.ts'
import { nobody } from './texts.ts'

/** Pages that divide the numbers that the largest page may be. */
const pagesToTry = (inference: Inference): number[] => {
  const values = inference.domains.get('maxPage') ?? []
  const known = (inference.initial.get('maxPage') ?? []).filter((value) => typeof value === 'number')
  return values.slice(0, 4).flatMap((value) => {
    if (typeof value !== 'number') return []
    if (inference.isExact('maxPage', value)) return [value]
    const least = Math.max(0, ...known.filter((one) => one < value)) + 1
    // The middle of magnitudes first, then of numbers.
    const middle = value > least * 4 ? Math.sqrt(least * value) : (least + value + 1) / 2
    return [Math.min(value, Math.max(least + 1, Math.floor(middle)))]
  })
}

/**
 * Requests about the largest page. Most services have none, so the largest number comes first; then numbers that divide
 * what it may be, at last the page itself and the next one.
 */
export const pageCandidates = (
  { entries, window }: Pick<Ledger, 'entries' | 'window'>,
  inference: Inference,
): Candidate[] => {
  const both = (place: string, page: number, limit: string, tests?: readonly string[]): Candidate[] => {
    const [query, platformId] = [{ page: String(page), limit }, entries[0]?.platformId ?? nobody]
    return [
      { place, request: { endpoint: 'guild', query: { ...query, ...window } }, tests: tests ?? [place] },
      { place: `user ${place}`, request: { endpoint: 'user', platformId, query }, tests: tests ?? [`user ${place}`] },
    ]
  }
  if (inference.blamed.has('maxPage')) return []
  const values = inference.domains.get('maxPage') ?? []
  const [most = null] = values
  const isKnown = values.length === 1 && inference.isExact('maxPage', most)
  if (isKnown && most !== null)
    return [...both('the next page', Number(most) + 1, '100'), ...both('the largest page', Number(most), '100')]
  if (values.includes(null)) return both('page number', largestPage, '1')
  const pages = pagesToTry(inference)
  for (const page of pages) inference.split('maxPage', page - 1)
  return pages.flatMap((page) => both('page number', page, '1', []))
}
