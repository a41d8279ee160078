import { readFileSync } from 'node:fs'

/** What a comment says about a part of the service, and what the spec leaves open. */
export interface Comment {
  readonly text: string
  readonly byDefault: string | undefined
  /** What is unspecified, as nouns or clauses. */
  readonly unspecified: readonly string[]
}

const toComment = (comment: string): Comment => {
  const [line = '', ...tags] = comment
    .replaceAll(/^\s*\*/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/ ?@(?=default |remarks )/)
  const [text = '', unspecified] = line.replace(/ Spec: [^.]*\./, '').split(' Unspecified: ')
  const byDefault = tags.find((tag) => tag.startsWith('default '))?.slice('default '.length)
  return { text, byDefault, unspecified: unspecified?.slice(0, -1).split('; ') ?? [] }
}

/**
 * The comment of a declaration in a source file, by no name, those of its members by name, and those of their own members by
 * both names. They are what editors show. Documents are made from them, so that a fact stands in one place and costs no
 * bytes in a program.
 */
export const commentsIn = (file: URL, declaration: string): ReadonlyMap<string, Comment> => {
  const source = readFileSync(file, 'utf8')
  const [, own = '', body = ''] =
    new RegExp(`(?:^/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n)?^(?:export )?${declaration}\\b.*\\{\\n([^]*?)^\\}`, 'm').exec(
      source,
    ) ?? []
  const members = body.matchAll(/^(  | {4})\/\*\*((?:(?!\*\/)[^])*)\*\/\n\1(?:readonly )?'?([\w-]+)'?\??:/gm)
  let outer = ''
  const comments = new Map([['', toComment(own)]])
  for (const [, indent = '', comment = '', member = ''] of members) {
    if (indent.length === 2) outer = member
    comments.set(indent.length === 2 ? member : `${outer} ${member}`, toComment(comment))
  }
  return comments
}

/** A table in Markdown, formatted; the first row is its head. */
const toTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  return [lines[0], `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines.slice(1)].join('\n')
}

/** A page in which the table with this head is replaced. */
export const withTable = (page: string, rows: readonly (readonly string[])[]): string =>
  page.replace(new RegExp(`^\\| ${rows[0]?.[0]} +\\|[^]*?\\n(?!\\|)`, 'm'), () => `${toTable(rows)}\n`)
