import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withTable } from '../../sdk/scripts/comments.ts'

/** The README with the table of what is proven. */
export const provenPage = fileURLToPath(new URL('../README.md', import.meta.url))

const tags = /^ \* @proves (.+)\n \* @against (.+)$/m

/** The tests of this package that say in their first comment what they prove, and against what. */
const proofs = globSync(fileURLToPath(new URL('../test/*.test.ts', import.meta.url)))
  .toSorted()
  .flatMap((file) => {
    const [, proves, against] = tags.exec(readFileSync(file, 'utf8')) ?? []
    return proves === undefined || against === undefined ? [] : [[proves, `\`${basename(file)}\``, against]]
  })

const rows = [
  ['Behaviour', 'Test', 'Against'],
  ...proofs,
  [
    'the mock responds as your service does',
    '[probe](https://github.com/example/guild-ledger/blob/main/docs/probe.md)',
    'nothing yet: run the probe to compare the mock with the live service',
  ],
]

/** The README with its table replaced by what the tests say. */
export const withProofs = (readme: string): string => withTable(readme, rows)
