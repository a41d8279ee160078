import { appendFileSync, globSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'

/** Where a worker notes which tests run. It writes at once: a test in an endless loop keeps it from sending messages. */
export const createTestNotes = (folder: string) => {
  const note = (line: string) => appendFileSync(`${folder}/${process.pid}.running`, `${line}\n`)
  note('')
  return { started: (id: string) => note(`+${id}`), ended: (id: string) => note(`-${id}`) }
}

const notesIn = (folder: string): string[] => globSync(`${folder}/*.running`)

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

/** Ends the processes of the workers that still run: one in an endless loop does not notice that the sweep has ended. */
export const endWorkers = (folder: string): void => {
  const workers = notesIn(folder).map((file) => Number.parseInt(basename(file), 10))
  for (const worker of workers.filter((pid) => pid !== process.pid)) {
    try {
      process.kill(worker, 'SIGKILL')
    } catch {
      // It ended before.
    }
  }
}
