import { inWords } from '@guild-ledger/sdk/contract'
import { suggestion } from '../assumptions/index.ts'
import type { Fault } from './fault.ts'
import { aimFields, kindFields } from './fields.ts'

/** Statuses whose replies have no body. */
export const nullBody: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Passes if a failure is one.
 *
 * @throws {TypeError} Its kind is unknown, a field belongs to another kind, is missing or is wrong.
 */
export const check = (fault: Fault): void => {
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault)) {
    throw new TypeError(`A failure must be an object such as { kind: 'hang' }, not ${inWords(fault)}.`)
  }
  const { kind } = fault
  if (typeof kind !== 'string' || !Object.hasOwn(kindFields, kind)) {
    throw new TypeError(`kind must be one of ${Object.keys(kindFields).join(', ')}, not ${inWords(kind)}.`)
  }
  const allowed = { ...aimFields, ...kindFields[kind] }
  const given = { ...fault } as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => name !== 'kind' && !Object.hasOwn(allowed, name))
  if (unknown !== undefined) {
    const help = suggestion(unknown, Object.keys(allowed))
    throw new TypeError(`A failure of kind ${kind} has no field ${inWords(unknown)}: ${help}`)
  }
  for (const [name, field] of Object.entries(allowed)) {
    if (!field.fits(given[name])) {
      throw new TypeError(`${name} must be ${field.allowed}, not ${inWords(given[name])}.`)
    }
  }
  if (fault.kind !== 'status' || !nullBody.has(fault.status)) return
  const extra = ['body', 'message'].find((name) => given[name] !== undefined)
  if (extra) throw new TypeError(`A reply with status ${fault.status} has no body to hold ${extra}: leave it out.`)
}
