import { isExact, largestPage, type Domains } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Ledger } from '../read/ledger.ts'
import type { Candidate } from './candidates.ts'
import { nobody } from './texts.ts'

const numbersIn = (domains: Domains): number[] =>
  (domains.get('maxPage') ?? []).filter((value) => typeof value === 'number').toSorted((a, b) => a - b)

/** A page that divides the numbers that the largest page may be. */
const dividingPage = (inference: Inference): number => {
  const values = numbersIn(inference.domains)
  const [value = 1] = values
  if (values.length > 1) return (values[Math.floor((values.length - 1) / 2)] ?? 1) + 1
  const least = (numbersIn(inference.initial).findLast((one) => one < value) ?? 0) + 1
  // The middle of magnitudes first, then of numbers.
  const middle = Math.floor(value > least * 4 ? Math.sqrt(least * value) : (least + value) / 2)
  inference.split('maxPage', middle)
  return middle + 1
}

/**
 * Requests about the largest page. Most services have none, so the largest number comes first; then numbers that divide
 * what it may be, at last the page itself and the next one.
 */
export const pageCandidates = (
  { entries, window }: Pick<Ledger, 'entries' | 'window'>,
  inference: Inference,
): Candidate[] => {
  const both = (place: string, page: number, limit: string): Candidate[] => {
    const [query, platformId] = [{ page: String(page), limit }, entries[0]?.platformId ?? nobody]
    return [
      { place, request: { endpoint: 'guild', query: { ...query, ...window } } },
      { place: `user ${place}`, request: { endpoint: 'user', platformId, query } },
    ]
  }
  if (inference.blamed.has('maxPage')) return []
  const values = inference.domains.get('maxPage') ?? []
  if (values.includes(null)) return both('page number', largestPage, '1')
  const [most = null] = values
  return values.length === 1 && isExact('maxPage', most, inference.initial)
    ? [...both('the next page', Number(most) + 1, '100'), ...both('the largest page', Number(most), '100')]
    : both('page number', dividingPage(inference), '1')
}
