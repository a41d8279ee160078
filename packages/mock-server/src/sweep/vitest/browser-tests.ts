import type { Reporter, TestCase } from 'vitest/node'

/** Notes which tests run in a browser: a page cannot write to a file, as workers do. */
export const createBrowserTests = (): { readonly reporter: Reporter; readonly running: ReadonlySet<string> } => {
  const running = new Set<string>()
  return {
    running,
    reporter: {
      onTestRunStart: () => running.clear(),
      onTestCaseReady({ id, project }: TestCase) {
        if (project.config.browser.enabled) running.add(id)
      },
      onTestCaseResult({ id }: TestCase) {
        running.delete(id)
      },
    },
  }
}
