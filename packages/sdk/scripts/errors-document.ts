import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes, type ErrorCode } from '@guild-ledger/sdk'

const root = join(import.meta.dirname, '../../..')
/** The guide with the table of all codes. */
export const errorsPage = join(root, 'docs/errors.md')
const source = readFileSync(join(root, 'packages/sdk/src/errors/codes.ts'), 'utf8')

/** The comments of the table in the code: cause, and what to do. */
const comments = new Map(
  [...source.matchAll(/^ {2}\/\*\* (.+) To do: (.+) \*\/\n {2}(\w+): /gm)].map(([, cause, remedy, code]) => [
    code,
    { cause, remedy },
  ]),
)

const actors = { author: 'author', manager: 'manager', nobody: '' }

const rowOf = (code: ErrorCode): string[] => {
  const { actor, retryable } = errorCodes[code]
  const { cause = '', remedy = '' } = comments.get(code) ?? {}
  return [`\`${code}\``, cause, remedy, actors[actor], retryable ? 'yes' : '']
}

const toTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  return [lines[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines.slice(1)].join('\n')
}

const table = toTable([
  ['Code', 'Cause', 'What to do', 'Who acts', 'Retry helps'],
  ...(Object.keys(errorCodes) as ErrorCode[]).map(rowOf),
])

/** The guide with its table replaced by one of the codes as they are. */
export const withErrorTable = (guide: string): string => guide.replace(/^\| Code +\|[^]*?\n(?!\|)/m, () => `${table}\n`)
