import type { AssumptionKey } from '../assumptions/values.ts'
import { coverageOf, mostValues, type Coverage, type Fact } from './coverage.ts'

/** Environment variable with the name of a file that each process appends its new facts to, one on each line. */
export const coverageVariable = 'GUILD_LEDGER_MOCK_COVERAGE'

const createFacts = (onNew: (text: string) => void = () => {}) => {
  const texts = new Set<string>()
  const values = new Map<string, number>()
  return {
    texts,
    add: (fact: Fact): void => {
      const text = JSON.stringify(fact)
      const earlier = fact[0] === 'value' ? (values.get(fact[1]) ?? 0) : 0
      if (texts.has(text) || earlier >= mostValues) return
      if (fact[0] === 'value') values.set(fact[1], earlier + 1)
      texts.add(text)
      onNew(text)
    },
  }
}

/** What the mocks of this process have appended to the file. */
let appended: ReturnType<typeof createFacts> | undefined

const factsInFile = () => {
  const file = globalThis.process?.env?.[coverageVariable]
  if (!file) return undefined
  const append = (text: string) => globalThis.process.getBuiltinModule('node:fs').appendFileSync(file, `${text}\n`)
  return (appended ??= createFacts(append))
}

/** Collects facts for the file of the environment, if there is one; with `keeps`, also for the coverage of one mock. */
export const createRecorder = (keeps: boolean) => {
  const own = keeps ? createFacts() : undefined
  return {
    /** Notes facts. `find` is called if anything is collected, with whether it is new that a response depends on an assumption. */
    note(find: (isNew: (key: AssumptionKey) => boolean) => readonly Fact[]): void {
      const wanted = [own, factsInFile()].filter((facts) => facts !== undefined)
      if (wanted.length === 0) return
      const found = find((key) => wanted.some(({ texts }) => !texts.has(JSON.stringify(['assumption', key]))))
      for (const each of wanted) found.forEach(each.add)
    },
    coverage(): Coverage {
      if (!own) throw new TypeError('`mock.coverage()` needs the option `explain: true` of createMockLedger')
      return coverageOf(own.texts)
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>
