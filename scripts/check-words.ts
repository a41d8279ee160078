/**
 * Fails on retired words in sources, tests, documents and the names of files: prints file, line, word and what to say
 * instead. The words are in `words/retired-words.ts`; what may stay, such as a quotation, is in `allowed` below. With
 * `--counts` it prints how often each word occurs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createFinder } from './words/find-words.ts'
import { retiredWords } from './words/retired-words.ts'

/** Patterns of lower-case text with its names split. A use is allowed by its exact words; add one only with a reason. */
const allowed: readonly RegExp[] = [
  // Of the language and its libraries.
  /math\.floor/g,
  /to be in the document/g,
  /\b(interaction|message)\.reply/g,
  /\b(edit|defer) reply/g,
  // Of HTTP and sockets.
  /connections? (is |was )?refused|refused connections?|econnrefused/g,
  // A public error code.
  /redirect[ _]refused/g,
  // Set phrases.
  /of course/g,
  /(hello|real|outside) world/g,
  /code of conduct/g,
  // The words of the spec: in double quotes, behind "Spec:", and its sentences such as "Order of groups: not shown."
  /"[^"]*not shown[^"]*"/g,
  /spec: [^.]*not shown/g,
  /: not shown/g,
]

const isText = /\.([cm]?[jt]s|md|json|ya?ml|html|css|py|sh|svg)$|(^|\/)(Dockerfile|run)$/
const leftOut = [
  /(^|\/)pnpm-lock\.yaml$/,
  /(^|\/)CHANGELOG\.md$/,
  // The words themselves.
  /^scripts\/(check-words\.ts|words\/)/,
  // Made from sources that are checked.
  /^packages\/sdk\/openapi\.json$/,
  /^packages\/mock-server\/admin\.openapi\.json$/,
]

const find = createFinder(retiredWords, allowed)
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
const hits = listed
  .split('\n')
  .filter((path) => isText.test(path) && !leftOut.some((pattern) => pattern.test(path)) && existsSync(path))
  .flatMap((path) => find(path, readFileSync(path, 'utf8')).map((hit) => ({ path, ...hit })))

if (process.argv.includes('--counts')) {
  const counts = Map.groupBy(hits, ({ rule }) => `${rule.pattern}${rule.namesOnly ? ' (names)' : ''}`)
  for (const [pattern, { length }] of [...counts].toSorted(([, a], [, b]) => b.length - a.length)) {
    process.stdout.write(`${String(length).padStart(5)}  ${pattern}\n`)
  }
} else {
  for (const { path, line, word, rule } of hits) {
    process.stdout.write(`${path}:${line === 0 ? 'name' : line}: ${word} → ${rule.say}\n`)
  }
}
process.stdout.write(`${hits.length} retired words\n`)
process.exitCode = hits.length > 0 ? 1 : 0
