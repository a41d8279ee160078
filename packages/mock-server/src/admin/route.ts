import { inWords } from '@guild-ledger/sdk/contract'
import { Refused } from './refused.ts'
import type { Method, Verb } from './verb.ts'
import { verbs } from './verbs/index.ts'

const routes = Object.entries(verbs).map(([path, byMethod]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  byMethod,
}))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refused(400, `${inWords(text)} in the path is not valid percent-encoding.`)
  }
}

/**
 * The verb that a path and a method mean, and what stands in the path in place of `{…}`.
 *
 * @throws {Refused} There is none, or the path is not valid percent-encoding.
 */
export const routeOf = (path: string, method: string): { readonly verb: Verb; readonly ids: readonly string[] } => {
  for (const { pattern, byMethod } of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const verb = Object.hasOwn(byMethod, method) ? byMethod[method as Method] : undefined
    if (verb) return { verb, ids: match.slice(1).map(decoded) }
    const allow = Object.keys(byMethod).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    throw new Refused(405, `${inWords(path)} takes ${allow.join(', ')}, not ${method}.`, { allow: allow.join(', ') })
  }
  throw new Refused(404, `The admin API has no path ${inWords(path)}: see GET /_mock/admin.openapi.json.`)
}
