import { largestPage } from './domains.ts'
import type { Inference } from './inference.ts'

/** Pages that divide the numbers that the largest page may be. */
export const pagesToTry = (inference: Inference): number[] => {
  const values = inference.domains.get('maxPage') ?? []
  if (values.length === 1 && inference.isExact('maxPage', values[0] ?? null)) return []
  // Most services have no largest page.
  if (
    values.includes(null) &&
    !inference.observations.some(({ request }) => request.query?.['page'] === String(largestPage))
  )
    return [largestPage]
  const known = (inference.initial.get('maxPage') ?? []).filter((value) => typeof value === 'number')
  const pages = values.slice(0, 4).flatMap((value) => {
    if (typeof value !== 'number') return []
    if (inference.isExact('maxPage', value)) return [value]
    const least = Math.max(0, ...known.filter((one) => one < value)) + 1
    // The middle of magnitudes first, then of numbers.
    const middle = value > least * 4 ? Math.sqrt(least * value) : (least + value + 1) / 2
    return [Math.min(value, Math.max(least + 1, Math.floor(middle)))]
  })
  for (const page of pages) inference.split('maxPage', page - 1)
  return pages
}
