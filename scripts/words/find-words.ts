import ts from 'typescript'
import type { RetiredWord } from './retired-words.ts'

/** A retired word and where it is. */
export interface Hit {
  /** Counted from 1; 0 for the name of the file. */
  readonly line: number
  readonly word: string
  readonly rule: RetiredWord
}

/** Lower-case text with names split into words: `underWay`, `under-way` and `UNDER_WAY` become `under way`. */
export const splitNames = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/(?<=[A-Za-z\d])[-_](?=[A-Za-z\d])/g, ' ')
    .toLowerCase()

/** Takes out what is allowed, without moving the rest. */
const without = (allowed: readonly RegExp[], text: string): string =>
  allowed.reduce((rest, pattern) => rest.replaceAll(pattern, (found) => '·'.repeat(found.length)), text)

/** Compiles a table of retired words. `allowed` are patterns, with the flag g, of split text in which no word counts. */
export const createFinder = (words: readonly RetiredWord[], allowed: readonly RegExp[]) => {
  const rules = words.map((rule) => ({ rule, regex: new RegExp(`(?<![\\w])(?:${rule.pattern})(?![\\w])`, 'g') }))

  /** The hits in text that begin before `end`. */
  const find = (text: string, line: number, path: string, isName: boolean, end = Infinity): Hit[] => {
    const rest = without(allowed, splitNames(text))
    return rules
      .filter(({ rule }) => Boolean(rule.namesOnly) === isName && (rule.path?.test(path) ?? true))
      .flatMap(({ rule, regex }) =>
        [...rest.matchAll(regex)].filter(({ index }) => index < end).map(([word]) => ({ line, word, rule })),
      )
  }

  const findInName = (path: string): Hit[] => [...find(path, 0, path, false), ...find(path, 0, path, true)]

  /** A phrase may go on in the next line, behind its indent and the sign of a comment. */
  const findInLines = (path: string, text: string): Hit[] => {
    const lines = text.split('\n')
    return lines.flatMap((line, i) => {
      const next = (lines[i + 1] ?? '').replace(/^\s*(\*|\/\/|#|>)?\s*/, '')
      return find(`${line} ${next}`, i + 1, path, false, splitNames(line).length)
    })
  }

  const findInIdentifiers = (path: string, text: string): Hit[] => {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    const hits: Hit[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
        hits.push(...find(node.text, line + 1, path, true))
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return hits
  }

  /** All hits of a file, its path included. */
  return (path: string, text: string): Hit[] => {
    const inNames = /\.[cm]?[jt]s$/.test(path) ? findInIdentifiers(path, text) : []
    return [...findInName(path), ...[...findInLines(path, text), ...inNames].toSorted((a, b) => a.line - b.line)]
  }
}
