import { createMockLedger } from '@guild-ledger/mock-server'
import { cases, expectedOf, nameOf, seen, type Door, type DoorName } from './table.ts'

const slowest = 10_000
const late = () => new Promise<string>((resolve) => setTimeout(resolve, slowest, `nothing for ${slowest} ms`))

/** Tries every case through a door: how many there were, and a line for each that shows something else. */
export const tried = async (
  name: DoorName,
  mock = createMockLedger(),
  door: Door = { url: mock.origin, fetch: mock.fetch },
) => {
  const wrong: string[] = []
  for (const each of cases) {
    const [expected, got] = [expectedOf(each, name), await Promise.race([seen(each, mock, door), late()])]
    if (got !== expected) wrong.push(`${nameOf(each)}\n    expected ${expected}\n    got      ${got}`)
  }
  return { count: cases.length, wrong }
}
