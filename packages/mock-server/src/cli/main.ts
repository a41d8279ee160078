#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts'

// Readers of our output may go away first, as `head -1` does: no reason to end the server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
})
