import { expect, it } from 'vitest'
import { createLineWriter } from './line-writer.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A stream that is not read: what is written to it waits. */
const unread = () => {
  const sink = {
    written: [] as string[],
    writableLength: 0,
    write(text: string) {
      sink.written.push(text)
      sink.writableLength += text.length
    },
  }
  return sink
}

it('a line writer writes the lines of one turn together', async () => {
  const sink = unread()
  const write = createLineWriter(sink, String)

  write('a')
  write('b')
  expect(sink.written).toEqual([])
  await turn()

  expect(sink.written).toEqual(['a\nb\n'])
})

it('a line writer drops lines that a reader who stopped reading has no room for, and says how many', async () => {
  const sink = unread()
  const write = createLineWriter(sink, (count) => `${count} dropped`)

  for (let i = 0; i < 400; i++) {
    for (let j = 0; j < 50; j++) write('x'.repeat(199))
    await turn()
  }
  const waiting = sink.writableLength
  sink.writableLength = 0
  write('read again')
  await turn()

  expect(waiting).toBe(1_050_000)
  expect(sink.written.at(-1)).toBe('14750 dropped\nread again\n')
})
