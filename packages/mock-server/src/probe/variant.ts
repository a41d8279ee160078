import type { ProbeRequest } from './model/probe-request.ts'

/** The same request in another form, which a log does not take for a repetition. */
export const variantOf = (request: ProbeRequest, attempt: number): ProbeRequest => {
  const { user, parameters } = request
  if (attempt === 0) return request
  const names = [...new Set(parameters.map(([name]) => name))]
  const turned = [
    ...names.slice(attempt % Math.max(1, names.length)),
    ...names.slice(0, attempt % Math.max(1, names.length)),
  ]
  const all = turned.flatMap((name) => parameters.filter(([sent]) => sent === name))
  const hasPage = names.includes('page')
  return { user, parameters: hasPage || attempt % 2 === 0 ? all : [...all, ['page', '1'] as const] }
}
