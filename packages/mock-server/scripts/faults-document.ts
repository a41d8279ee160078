import { fileURLToPath } from 'node:url'
import { withTable } from '../../sdk/scripts/comments.ts'
import { faultKinds } from '../src/faults/index.ts'
import { faultDescription } from './admin-openapi/fault-schemas.ts'

/** The guide with the table of all kinds. */
export const faultsPage = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url))

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
