import { fileURLToPath } from 'node:url'
import { commentsIn, withTable } from '../../sdk/scripts/comments.ts'
import { faultKinds } from '../src/faults/kinds.ts'

/** The guide with the table of all kinds. */
export const faultsPage = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url))

/** The comments of the types, by kind, and by kind and field. */
const faultComments = new Map(commentsIn(new URL('../src/fault.ts', import.meta.url), 'interface FaultFieldsByKind'))

const faultDescription = (name: string): string => {
  const comment = faultComments.get(name)
  if (!comment) throw new Error(`The fault ${name} has no comment in fault.ts.`)
  const { text, byDefault } = comment
  return byDefault === undefined ? text : `${text} Default: ${byDefault.replaceAll("'", '`')}.`
}

const rows = [
  ['kind', 'field', 'meaning'],
  ...Object.entries(faultKinds).flatMap(([kind, { fields }]) => [
    [`\`'${kind}'\``, '', faultDescription(kind)],
    ...Object.entries(fields).map(([name, { isRequired }]) => [
      '',
      `\`${name}\`${isRequired ? ' (required)' : ''}`,
      faultDescription(`${kind} ${name}`),
    ]),
  ]),
]

/** The guide with its table replaced by one of the kinds as they are. */
export const withKinds = (guide: string): string => withTable(guide, rows)
