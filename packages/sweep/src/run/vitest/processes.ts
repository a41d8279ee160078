import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

// Not a pattern: the name of the folder may have brackets.
const notesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.running'))
    .map((name) => join(folder, name))

/** The tests that workers started and that did not end. Forgets them. */
export const takeRunningTests = (folder: string): ReadonlySet<string> => {
  const running = new Set<string>()
  for (const file of notesIn(folder)) {
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      if (line.startsWith('+')) running.add(line.slice(1))
      else running.delete(line.slice(1))
    }
    rmSync(file)
  }
  return running
}

/** Ends the workers that still run: one in an endless loop does not notice that the sweep has ended. */
export const endWorkers = (folder: string): void => {
  for (const file of notesIn(folder)) {
    const worker = Number.parseInt(basename(file), 10)
    try {
      if (worker !== process.pid) process.kill(worker, 'SIGKILL')
    } catch {
      // It ended before.
    }
  }
}
