import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const moduleName = 'guild_ledger_sweep'
const folderVariable = 'GUILD_LEDGER_MOCK_TESTS'

/** Notes in a file of each process which test runs. A fixture that several tests share concerns all of them. */
const plugin = `import os

import pytest

try:
    from _pytest.junitxml import mangle_test_address
except ImportError:
    mangle_test_address = None

path = os.path.join(os.environ["${folderVariable}"], str(os.getpid()))
current = "idle"
noted = current


def note(state):
    global noted
    noted = state
    with open(path, "w", encoding="utf-8") as file:
        file.write(state)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    global current
    if mangle_test_address:
        *place, name = mangle_test_address(item.nodeid)
        current = "test " + ".".join(place) + " > " + name
        note(current)
    outcome = yield
    # A test that is interrupted, or ends the session, is the one that was running.
    if outcome.excinfo is None:
        current = "idle"
        note(current)


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef):
    before = noted
    if fixturedef.scope != "function":
        note("shared")
    yield
    note(before)
`

/** Tells which tests of pytest run. Processes without pytest ignore it. */
export interface PytestPlugin {
  /** Environment variables that make pytest load it. */
  readonly variables: Readonly<Record<string, string>>
  /** The tests that run, as the report names them; `undefined` where that is unknown. */
  runningTests(): readonly string[] | undefined
}

/** Whether Python says that it cannot import the plugin: with `-I` or `-E`, it does not look where the plugin is. */
export const failsToImport = (output: string): boolean => output.includes(`No module named '${moduleName}'`)

/** Writes the plugin to a folder, and forgets earlier runs. */
export const createPytestPlugin = (folder: string): PytestPlugin => {
  const states = join(folder, 'tests')
  rmSync(states, { recursive: true, force: true })
  mkdirSync(states)
  writeFileSync(join(folder, `${moduleName}.py`), plugin)
  const { PYTHONPATH: path, PYTEST_PLUGINS: plugins } = process.env
  return {
    variables: {
      [folderVariable]: states,
      PYTHONPATH: [folder, path].filter(Boolean).join(delimiter),
      PYTEST_PLUGINS: [plugins, moduleName].filter(Boolean).join(','),
    },
    runningTests() {
      const running = readdirSync(states)
        .map((file) => readFileSync(join(states, file), 'utf8'))
        .filter((state) => state !== 'idle')
      const isKnown = running.length > 0 && running.every((state) => state.startsWith('test '))
      return isKnown ? running.map((state) => state.slice('test '.length)) : undefined
    },
  }
}
