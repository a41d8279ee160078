import { endpoints, errorBody, operations, type Endpoint, type StandardSchema } from '@guild-ledger/sdk/contract'
import { formatUnknownName } from '@guild-ledger/validation'
import { stepsOf, type Step } from './set-field.ts'

/** As much of a schema as leads to its fields. */
interface Shape {
  readonly _zod: {
    readonly def: {
      readonly type: string
      readonly shape?: Readonly<Record<string, unknown>>
      readonly element?: unknown
    }
  }
}

// The contract does not say so in its types, but its schemas are those of zod.
const shapeOf = (schema: StandardSchema): Shape => schema as unknown as Shape

/** How far a path leads into a body, and what the body has instead of the next step. */
interface Lead {
  readonly depth: number
  /** Names of the fields there; undefined where the path leads to its end. */
  readonly known?: readonly string[]
}

const follow = ({ _zod: { def } }: Shape, [step, ...rest]: readonly Step[], depth = 0): Lead => {
  if (step === undefined) return { depth }
  if (def.type === 'array') {
    if (step !== '*' && typeof step !== 'number') return { depth, known: ['[0]', '[*]'] }
    return follow(def.element as Shape, rest, depth + 1)
  }
  const known = Object.keys(def.shape ?? {})
  const names = step === '*' ? known : [String(step)].filter((name) => known.includes(name))
  const leads = names.map((name) => follow(def.shape?.[name] as Shape, rest, depth + 1))
  return leads.find((lead) => lead.known === undefined) ?? leads[0] ?? { depth, known }
}

const prefixOf = (steps: readonly Step[]): string =>
  steps
    .map((step) => (typeof step === 'number' || step === '*' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')

/**
 * Passes the path of a field that some response has.
 *
 * @throws {TypeError} None has it; the message suggests the nearest.
 */
export const checkResponseField = (field: string, endpoint: Endpoint | undefined): void => {
  const steps = stepsOf(field)
  const meant = endpoint === undefined ? endpoints : [endpoint]
  const bodies = [...meant.map((one) => operations[one].response), errorBody]
  const leads = bodies.map((schema) => follow(shapeOf(schema), steps))
  if (leads.some(({ known }) => known === undefined)) return
  const furthest = leads.reduce((best, lead) => (lead.depth > best.depth ? lead : best))
  const { depth, known = [] } = furthest
  const sameDepth = leads.filter((lead) => lead.depth === depth).flatMap((lead) => lead.known ?? [])
  const prefix = prefixOf(steps.slice(0, depth))
  const names = known[0] === '[0]' ? known : [...new Set(sameDepth)]
  throw new TypeError(
    formatUnknownName(
      'response field',
      String(steps[depth]),
      names,
      prefix && !names[0]?.startsWith('[') ? `${prefix}.` : prefix,
    ),
  )
}
