import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { locationIn } from './location.ts'

const folder = mkdtempSync(join(tmpdir(), 'guild ledger (1) '))
afterAll(() => rmSync(folder, { recursive: true }))
const cwd = process.cwd()

const files = ['app/(shop)/page.test.ts', 'my tests/a (1).test.ts', 'app/[id]/page.test.ts', 'a.test.ts']
const frames: [string, (file: string) => string][] = [
  ['V8, in a function', (file) => `    at Object.run (${join(folder, file)}:3:14)`],
  ['V8, in a method with an alias', (file) => `    at async Foo.bar [as baz] (${join(folder, file)}:3:14)`],
  ['V8, at the top', (file) => `    at ${join(folder, file)}:3:14`],
  ['V8, with a URL', (file) => `    at async ${pathToFileURL(join(folder, file)).href}:3:14`],
  ['Jest', (file) => `    at Object.<anonymous> (${file}:3:14)`],
  ['Vitest', (file) => ` ❯ ${file}:3:14`],
  ['Vitest, in a function', (file) => ` ❯ spent on ${file}:3:14`],
  ['Safari', (file) => `run@${pathToFileURL(join(folder, file)).href}:3:14`],
  ['Python', (file) => `  File "${join(folder, file)}", line 3, in test`],
  ['.NET', (file) => `   at Bot.Tests.A.Spends() in ${join(folder, file)}:line 3`],
  ['Perl', (file) => `#   at ${file} line 3.`],
  ['Bats', (file) => `# (in test file ${file}, line 3)`],
]

it.each(files.flatMap((file) => frames.map(([runner, frame]) => [runner, file, frame(file)] as const)))(
  'a frame of %s in %s has the file that exists',
  (_runner, file, frame) => {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
    const inner = '    at fail (/x/node_modules/chai/index.js:1:2)'
    process.chdir(folder)
    try {
      expect(locationIn(`Error: expected b.ts:9 (x)\n${inner}\n${frame}\n    at z (/tmp/z.ts:1:1)`)).toBe(`${file}:3`)
    } finally {
      process.chdir(cwd)
    }
  },
)

it.each([
  [String.raw`    at run (C:\my bots\test\a.test.ts:3:14)`, 'C:/my bots/test/a.test.ts:3'],
  [String.raw`    at C:\my bots\test (1)\a.test.ts:3:14`, 'C:/my bots/test (1)/a.test.ts:3'],
  [String.raw`    at Object.<anonymous> (test\a.test.ts:3:14)`, 'test/a.test.ts:3'],
  ['    at run (file:///C:/my%20bots/a.test.ts:3:14)', 'C:/my bots/a.test.ts:3'],
  ['\tat org.junit.Assert.fail(Assert.java:89)\n\tat com.a.BTest.c(BTest.java:31)', 'BTest.java:31'],
  ['\t/go/src/runtime/panic.go:8\nc.C()\n\t/go/pkg/mod/c/c.go:9\na.TestB()\n\ta/b_test.go:6 +0x1', 'a/b_test.go:6'],
  ['my tests/test_a.py:12: AssertionError', 'my tests/test_a.py:12'],
  ['   at eval (eval at run (a.ts:1:2), <anonymous>:3:4)\n at run (b.ts:5:6)', 'b.ts:5'],
  ['connect ECONNREFUSED 127.0.0.1:4010, ledger.io:443\n\tat ASuite.b(ASuite.scala:31)', 'ASuite.scala:31'],
  ['no frame', undefined],
])('a frame %j is at %s, where no such file exists', (frame, location) => {
  expect(locationIn(frame)).toBe(location)
})

it('the innermost frame in the test file counts', () => {
  vi.spyOn(process, 'cwd').mockReturnValue('/bot')
  const stack = 'Error\n    at help (/bot/src/help.ts:1:1)\n    at /bot/test/a b.test.ts:3:4'

  expect(locationIn(stack, '/bot/test/a b.test.ts')).toBe('test/a b.test.ts:3')
  expect(locationIn(stack)).toBe('src/help.ts:1')
  vi.restoreAllMocks()
})
