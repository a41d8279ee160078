/** Makes a function of a snippet, without `eval`: the site's policy needs `blob:` for the worker, not `unsafe-eval`. */
import { transform } from 'sucrase'
import { printAll } from './print.ts'

type Require = (name: string) => unknown
export type Program = (require: Require, meta: { readonly url: string }, exports: object) => Promise<void>

/** Line of a frame in the snippet whose module has this URL. */
const lineIn = (stack: string, url: string): string | undefined => stack.split(`${url}:`)[1]?.match(/^\d+/)?.[0]

/** What an error says, with the line of the snippet. */
export const describeError = (error: unknown, url: string): string => {
  if (!(error instanceof Error)) return `Thrown: ${printAll([error])}`
  const line = lineIn(error.stack ?? '', url)
  const message = error.message.replace(/ \((\d+):\d+\)$/, ' (line $1)') // as sucrase writes it
  return `${error.name}: ${message}${line ? ` (line ${line})` : ''}`
}

/** Strips the types; imports become calls of `require`. Lines stay where they are. */
const toScript = (code: string): string => {
  const { code: script } = transform(code, {
    transforms: ['typescript', 'imports'],
    disableESTransforms: true,
    keepUnusedImports: true, // a module that the page lacks is reported
    preserveDynamicImport: true,
  })
  return script.replaceAll('import.meta', 'meta')
}

/**
 * Loads a snippet.
 *
 * @throws {SyntaxError} Its message names the line, unless only the browser finds the mistake, as a name declared twice.
 */
export const load = async (code: string): Promise<{ readonly url: string; readonly program: Program }> => {
  const script = `export default async (require, meta, exports) => {${toScript(code)}\n}`
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const { default: program } = (await import(/* @vite-ignore */ url)) as { default: Program }
  return { url, program }
}
