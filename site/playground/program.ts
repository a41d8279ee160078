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

const urlOf = (script: string): string => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))

/**
 * The line at which the browser finds a mistake, such as a name declared twice. Only the error event of a worker has it,
 * and only of a classic one.
 */
const lineOfMistake = (script: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(urlOf(`'use strict';${script};postMessage('')`))
    worker.addEventListener('message', () => resolve(undefined))
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      resolve(event.lineno)
    })
  })

/**
 * Loads a snippet.
 *
 * @throws {SyntaxError} Its message names the line.
 */
export const load = async (code: string): Promise<{ readonly url: string; readonly program: Program }> => {
  const script = `(async (require, meta, exports) => {${toScript(code)}\n})`
  const url = urlOf(`export default ${script}`)
  try {
    const { default: program } = (await import(/* @vite-ignore */ url)) as { default: Program }
    return { url, program }
  } catch (error) {
    const line = await lineOfMistake(script)
    throw line && error instanceof Error ? new SyntaxError(`${error.message} (line ${line})`) : error
  }
}
