import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createQueue, type Link } from './queue.ts'
import type { Priority } from './throttle.ts'

interface Member extends Link {
  readonly name: string
}

const member = (name: string, priority: Priority): Member => ({ name, priority })

const takeAll = (queue: ReturnType<typeof createQueue<Member>>): string => {
  const names: string[] = []
  for (let next = queue.take(); next; next = queue.take()) names.push(next.name)
  return names.join('')
}

it('gives four turns to interactive members for each one to the background while both wait', () => {
  const queue = createQueue<Member>()
  for (let i = 0; i < 4; i++) queue.add(member('b', 'background'))
  for (let i = 0; i < 10; i++) queue.add(member('i', 'interactive'))

  expect(takeAll(queue)).toBe('iiiibiiiibiibb')
})

it('keeps each priority in order, whoever leaves from wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 30 }), (given) => {
      const queue = createQueue<Member>()
      const members = given.map(([isInteractive], i) =>
        member(String.fromCharCode(65 + i), isInteractive ? 'interactive' : 'background'),
      )
      for (const one of members) queue.add(one)
      const stays = members.filter((one, i) => {
        const leaves = given[i]?.[1] ?? false
        if (leaves) queue.remove(one)
        return !leaves
      })
      const inOrder = (priority: Priority) => stays.filter((one) => one.priority === priority).map(({ name }) => name)

      expect(queue.size).toBe(stays.length)
      expect(queue.count('background')).toBe(inOrder('background').length)
      const taken = takeAll(queue)
      expect(Array.from(taken).filter((name) => inOrder('interactive').includes(name))).toEqual(inOrder('interactive'))
      expect(Array.from(taken).filter((name) => inOrder('background').includes(name))).toEqual(inOrder('background'))
      expect(taken).toHaveLength(stays.length)
    }),
  )
})
