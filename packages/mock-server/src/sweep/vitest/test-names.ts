import { posix } from 'node:path'
import type { TestModule } from 'vitest/node'

/**
 * Names of the tests of some files, by id. Each test has a name of its own: the report and the accepted dependencies have
 * nothing else. A file that several projects run has the project before its path.
 */
export const testNames = (modules: readonly TestModule[], root: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { moduleId, project, children } of modules) {
    const isShared = modules.some((other) => other.moduleId === moduleId && other.project !== project)
    const file = `${isShared ? `|${project.name}| ` : ''}${posix.relative(root, moduleId)}`
    for (const { id, fullName } of children.allTests()) {
      const name = `${file} > ${fullName}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      names.set(id, count === 1 ? name : `${name} (${count})`)
    }
  }
  return names
}
