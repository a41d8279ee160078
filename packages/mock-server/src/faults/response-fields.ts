import { endpoints, errorBody, operations, type Endpoint } from '@guild-ledger/sdk/contract'
import { formatUnknownName } from '@guild-ledger/validation'

interface Shape {
  readonly _zod: { readonly def: { readonly shape?: Readonly<Record<string, Shape>>; readonly element?: Shape } }
}

/** The paths of all fields, with `[*]` for the elements of arrays. */
const pathsIn = ({ _zod: { def } }: Shape, path = ''): string[] => {
  const inside: [path: string, schema: Shape][] = def.element
    ? [[`${path}[*]`, def.element]]
    : Object.entries(def.shape ?? {}).map(([name, schema]) => [path === '' ? name : `${path}.${name}`, schema])
  return inside.flatMap(([inner, schema]) => [inner, ...pathsIn(schema, inner)])
}

/** Passes the path of a field that some response has. */
export const checkResponseField = (field: string, endpoint: Endpoint | undefined): void => {
  const meant = endpoint === undefined ? endpoints : [endpoint]
  const bodies = [...meant.map((one) => operations[one].response), errorBody]
  // The contract does not say so in its types, but its schemas are those of zod.
  const known = bodies.flatMap((schema) => pathsIn(schema as unknown as Shape))
  const given = field.replaceAll(/\[\d+\]/g, '[*]')
  if (!known.includes(given)) throw new TypeError(formatUnknownName('response field', given, [...new Set(known)]))
}
