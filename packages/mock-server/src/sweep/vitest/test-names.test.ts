import type { TestModule } from 'vitest/node'
import { expect, it } from 'vitest'
import { testNames } from './test-names.ts'

const module = (file: string, project: object, tests: Readonly<Record<string, string>>) =>
  ({
    moduleId: `/project/${file}`,
    project,
    children: { allTests: () => Object.entries(tests).map(([id, fullName]) => ({ id, fullName })) },
  }) as unknown as TestModule

const namesOf = (...modules: TestModule[]) => Object.fromEntries(testNames(modules, '/project'))
const one = { name: 'one' }
const two = { name: 'two' }

it('numbers the tests of a file that have the same name', () => {
  expect(namesOf(module('src/a.test.ts', one, { a: 'works', b: 'works', c: 'suite > works', d: 'works' }))).toEqual({
    a: 'src/a.test.ts > works',
    b: 'src/a.test.ts > works (2)',
    c: 'src/a.test.ts > suite > works',
    d: 'src/a.test.ts > works (3)',
  })
})

it('names the project where several run the same file', () => {
  const modules = [
    module('a.ts', one, { a: 'works' }),
    module('a.ts', two, { b: 'works' }),
    module('b.ts', two, { c: 'works' }),
  ]

  expect(namesOf(...modules)).toEqual({ a: '|one| a.ts > works', b: '|two| a.ts > works', c: 'b.ts > works' })
})
