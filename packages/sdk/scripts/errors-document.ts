import { join } from 'node:path'
import { errorCodes, type ErrorCode } from '@guild-ledger/sdk'
import { withTable } from './comments.ts'

const root = join(import.meta.dirname, '../../..')
/** The guide with the table of all codes. */
export const errorsPage = join(root, 'docs/errors.md')

const actors = { author: 'author', manager: 'manager', nobody: '' }

const rowOf = (code: ErrorCode): string[] => {
  const { cause, advice, actor, retryable } = errorCodes[code]
  return [`\`${code}\``, cause, advice, actors[actor], retryable ? 'yes' : '']
}

const rows = [
  ['Code', 'Cause', 'What to do', 'Who acts', 'Retry helps'],
  ...(Object.keys(errorCodes) as ErrorCode[]).map(rowOf),
]

/** The guide with its table replaced by one of the codes as they are. */
export const withErrorTable = (guide: string): string => withTable(guide, rows)
