/**
 * Imports snippets one after another, and prints as JSON what each of them wrote to stderr: most of the time of a short
 * program is its start.
 */
import { format } from 'node:util'

const runs = JSON.parse(process.argv[2] ?? '') as readonly { file: string; env: Record<string, string> }[]
const errors: Record<string, string> = {}
let current = ''
process.stderr.write = (chunk: string | Uint8Array): boolean => {
  errors[current] += String(chunk)
  return true
}

for (const { file, env } of runs) {
  current = file
  errors[file] = ''
  Object.assign(process.env, env)
  await import(file).catch((error: unknown) => console.error(format(error)))
}
process.once('exit', () => console.log(`\n${JSON.stringify(errors)}`))
