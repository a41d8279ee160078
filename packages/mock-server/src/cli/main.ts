#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts'

// Readers of our output may go away first, as `head -1` does: no reason to end the server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
const stop = new AbortController()
// Once each: a second signal ends the process immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const output = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
}
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, output, stop)
// Without this a parent that never reads our log would keep this process running.
if (stop.signal.aborted) setTimeout(() => process.exit(), 100).unref()
