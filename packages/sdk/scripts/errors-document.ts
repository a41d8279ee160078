import { join } from 'node:path'
import { errorCodes, type ErrorCode } from '@guild-ledger/sdk'
import { documentedErrors } from '@guild-ledger/sdk/contract'
import { commentsIn, withTable } from './comments.ts'

const root = join(import.meta.dirname, '../../..')
/** The guide with the table of all codes. */
export const errorsPage = join(root, 'docs/errors.md')

const sourceOf = (file: string) => new URL(`../src/${file}`, import.meta.url)
const documentedComments = commentsIn(sourceOf('contract/documented-errors.ts'), 'const documentedErrors')

/** Cause, and what to do, by code. */
const comments = new Map([
  ...[...commentsIn(sourceOf('errors/codes.ts'), 'const errorCodes')].map(([code, { text }]): [string, string[]] => [
    code,
    text.split(' To do: '),
  ]),
  ...Object.entries(documentedErrors).map(([name, { code, advice }]): [string, string[]] => [
    code,
    [documentedComments.get(name)?.text ?? '', advice],
  ]),
])

const actors = { author: 'author', manager: 'manager', nobody: '' }

const rowOf = (code: ErrorCode): string[] => {
  const { actor, retryable } = errorCodes[code]
  const [cause = '', remedy = ''] = comments.get(code) ?? []
  return [`\`${code}\``, cause, remedy, actors[actor], retryable ? 'yes' : '']
}

const rows = [
  ['Code', 'Cause', 'What to do', 'Who acts', 'Retry helps'],
  ...(Object.keys(errorCodes) as ErrorCode[]).map(rowOf),
]

/** The guide with its table replaced by one of the codes as they are. */
export const withErrorTable = (guide: string): string => withTable(guide, rows)
