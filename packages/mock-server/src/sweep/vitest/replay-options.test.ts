import { expect, it } from 'vitest'
import { parseCLI } from 'vitest/node'
import { replayOptions } from './replay-options.ts'

const optionsIn = (...args: string[]) => replayOptions(args, (some) => parseCLI(['vitest', 'run', ...some]).filter)

it.each([
  [[], []],
  [['a.test.ts', 'src/b'], []],
  [
    ['--config', 'sub/bot.config.js'],
    ['--config', 'sub/bot.config.js'],
  ],
  [
    ['sub', '--root', 'sub', '--no-isolate', '--pool=forks', 'other'],
    ['--root', 'sub', '--no-isolate', '--pool=forks'],
  ],
  [
    ['-t', 'is robust', '--testNamePattern=is', '--test-name-pattern', 'robust', '--shard=1/2', '-c', 'x.ts', 'a'],
    ['-c', 'x.ts'],
  ],
  [
    ['-u', '--root', 'sub', '--changed', '--pool=forks'],
    ['--root', 'sub', '--pool=forks'],
  ],
  [['--update=new', '--changed', 'HEAD', '--pool=forks'], ['--pool=forks']],
])('%j has the options %j for the run of a single test', (args, options) => {
  expect(optionsIn(...args)).toEqual(options)
})
