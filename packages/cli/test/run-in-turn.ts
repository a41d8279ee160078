/**
 * Runs command lines one after the other, each in a fresh copy of the program, and ends the output of each with what it
 * wrote to standard error and its exit code: a process for each takes a third of a second.
 */
import { writeSync } from 'node:fs'
import type { CommandLine } from './support.ts'

const { env } = process
let count = 0
process.on('message', async ({ args, env: own, cwd }: CommandLine) => {
  let err = ''
  process.stderr.write = (text: string | Uint8Array) => {
    err += String(text)
    return true
  }
  process.argv = [process.argv[0] ?? '', 'guild-ledger', ...args]
  process.env = { ...env, ...own }
  process.chdir(cwd)
  process.exitCode = undefined
  await import(`../src/main.ts?run=${count++}`).catch((error: Error) => (err += error.stack))
  const { exitCode } = process
  process.exitCode = 0
  writeSync(1, `\0${JSON.stringify({ code: exitCode, err })}\0`)
})
