import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { assumeVariable, formatAssumptions } from '../../assumptions/index.ts'
import type { Values } from '../types.ts'
import { serveMock } from './serve.ts'

/** Runs a command once under some values, with its output on the terminal, and returns its exit code. */
export const replayCommand = async (
  [program = '', ...args]: readonly string[],
  values: Values,
  serve: boolean,
): Promise<number> => {
  const served = serve ? await serveMock(values) : undefined
  try {
    const variables = { [assumeVariable]: formatAssumptions(values), ...served?.variables }
    const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: 'inherit' })
    const [exitCode] = (await once(child, 'close')) as [number | null]
    return exitCode ?? 1
  } finally {
    await served?.close()
  }
}
