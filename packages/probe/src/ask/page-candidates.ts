import { isExact, largestPage } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Ledger } from '../read/ledger.ts'
import type { Candidate } from './candidates.ts'
import { nobody } from './texts.ts'

/**
 * Requests about the largest page. Most services have none, so the largest number comes first; then numbers that divide
 * what it may be, at last the page itself and the next one.
 */
export const pageCandidates = (
  { entries, window }: Pick<Ledger, 'entries' | 'window'>,
  inference: Inference,
): Candidate[] => {
  const both = (page: number, place = 'page number', limit = '1'): Candidate[] => {
    const [query, platformId] = [{ page: String(page), limit }, entries[0]?.platformId ?? nobody]
    return [
      { place, request: { endpoint: 'guild', query: { ...query, ...window } } },
      { place: `user ${place}`, request: { endpoint: 'user', platformId, query } },
    ]
  }
  if (inference.blamed.has('maxPage')) return []
  const values = inference.domains.get('maxPage') ?? []
  if (values.includes(null)) return both(largestPage)
  const numbers = values.map(Number).toSorted((a, b) => a - b)
  const [most = 1] = numbers
  if (numbers.length > 1) return both((numbers[Math.floor((numbers.length - 1) / 2)] ?? 1) + 1)
  if (isExact('maxPage', most, inference.initial))
    return [...both(most + 1, 'the next page', '100'), ...both(most, 'the largest page', '100')]
  const least = Math.max(0, ...(inference.initial.get('maxPage') ?? []).map(Number).filter((one) => one < most)) + 1
  // The middle of magnitudes first, then of numbers.
  const middle = Math.floor(most > least * 4 ? Math.sqrt(least * most) : (least + most) / 2)
  inference.split('maxPage', middle)
  return both(middle + 1)
}
