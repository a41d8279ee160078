/** TypeScript snippets in Markdown: which are tests, and which programs run in a page of the documentation site. */

/** The code of all `ts` blocks of a document. */
export const snippetsIn = (markdown: string): string[] =>
  Array.from(markdown.matchAll(/^```ts\n(.*?)^```/gms), ([, code = '']) => code)

export const isTest = (code: string): boolean => /from 'vitest'/.test(code)

/** The modules that a page has. `site/playground/worker.ts` provides each of them. */
const modulesInPage = ['@guild-ledger/sdk', '@guild-ledger/mock-server', 'node:fs/promises'] as const
export type ModuleInPage = (typeof modulesInPage)[number]

/** Whether a snippet is a program for the playground: no test, no module with exports, and no import that a page lacks. */
export const runsInPage = (code: string): boolean => {
  const imports = Array.from(code.matchAll(/\bfrom '([^']+)'/g), ([, name = '']) => name)
  const known: readonly string[] = modulesInPage
  return imports.length > 0 && imports.every((name) => known.includes(name)) && !/^export /m.test(code)
}
