import { describe, expect, it } from 'vitest'
import { createFinder, splitNames } from './find-words.ts'

describe('splitNames', () => {
  it.each([
    ['underWay', 'under way'],
    ['under-way', 'under way'],
    ['UNDER_WAY', 'under way'],
    ['createHTTPDoor', 'create http door'],
    ['walk_stuck', 'walk stuck'],
    ['page2Look', 'page2 look'],
    ['Under way, for ever.', 'under way, for ever.'],
    ['--rate-limit', '--rate limit'],
    ['a - b', 'a - b'],
  ])('splits %s into %s', (text, words) => {
    expect(splitNames(text)).toBe(words)
  })
})

const find = createFinder(
  [
    { pattern: 'doors?', say: 'adapter' },
    { pattern: 'under way', say: 'in flight' },
    { pattern: 'floors?', say: 'layer' },
    { pattern: 'not shown', say: 'unspecified' },
    { pattern: 'looks?', say: 'poll', namesOnly: true },
    { pattern: 'arrivals', say: 'scheduled transactions', path: /^mock\// },
  ],
  [/math\.floor/g, /"[^"]*not shown[^"]*"/g],
)
const hits = (path: string, text: string) => find(path, text).map(({ line, word }) => [line, word])

describe('a finder of retired words', () => {
  it('finds words in prose, in strings and inside of names, with their lines', () => {
    expect(hits('a.ts', "// a door\nconst openDoor = 'doors'\n")).toEqual([
      [1, 'door'],
      [2, 'door'],
      [2, 'doors'],
    ])
  })

  it('finds no word inside of another', () => {
    expect(hits('a.md', 'outdoors, indoor, doorway')).toEqual([])
  })

  it('finds words in the names of files and folders', () => {
    expect(hits('src/http-doors/open.ts', '')).toEqual([[0, 'doors']])
  })

  it('finds a phrase that goes on in the next line of a comment, once', () => {
    expect(hits('a.ts', '/**\n * A request under\n * way.\n */')).toEqual([[2, 'under way']])
  })

  it('leaves out what is allowed, on the same line as what is not', () => {
    expect(hits('a.ts', 'Math.floor(floor)')).toEqual([[1, 'floor']])
    expect(hits('a.md', 'The spec calls it "not shown"; it is not shown.')).toEqual([[1, 'not shown']])
  })

  it('finds words that ordinary English needs in names only', () => {
    expect(hits('a.ts', '// Take a look.\nconst firstLook = "looks"\nthis.#look()')).toEqual([
      [2, 'look'],
      [3, 'look'],
    ])
    expect(hits('a.md', 'Take a look.')).toEqual([])
    expect(hits('look.md', '')).toEqual([[0, 'look']])
  })

  it('applies a rule only to the files it is for', () => {
    expect(hits('mock/a.md', 'arrivals')).toEqual([[1, 'arrivals']])
    expect(hits('sdk/a.md', 'arrivals')).toEqual([])
  })
})
