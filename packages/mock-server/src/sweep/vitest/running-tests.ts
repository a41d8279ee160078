import { appendFileSync, globSync, readFileSync, rmSync } from 'node:fs'

/** Where a worker notes which tests run. It writes at once: a test in an endless loop keeps it from sending messages. */
export const createTestNotes = (folder: string) => {
  const note = (line: string) => appendFileSync(`${folder}/${process.pid}.running`, `${line}\n`)
  return { started: (id: string) => note(`+${id}`), ended: (id: string) => note(`-${id}`) }
}

/** The tests that workers started and that did not end. Forgets them. */
export const takeRunningTests = (folder: string): ReadonlySet<string> => {
  const running = new Set<string>()
  for (const file of globSync(`${folder}/*.running`)) {
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      if (line.startsWith('+')) running.add(line.slice(1))
      else running.delete(line.slice(1))
    }
    rmSync(file)
  }
  return running
}
