import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the files by name, instead of the slowest one first. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId))
  }
}

/** The planted suites by themselves: they are swept, and would fail among the tests of this repository. */
export default defineConfig({ test: { include: ['*.vitest.ts'], sequence: { sequencer: ByName } } })
