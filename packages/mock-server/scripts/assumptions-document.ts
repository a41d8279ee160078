import { assumptionRows, type AssumptionRow } from '@guild-ledger/mock-server'

const readingsOf = (row: AssumptionRow): string[] => {
  if ('readings' in row) {
    return row.readings.map(([value, meaning], i) => `- \`${value}\`${i === 0 ? ' (default)' : ''}: ${meaning}`)
  }
  const most = row.max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${row.max}`
  const none = row.orNull ? ', or `null` for no such limit' : ''
  return [`- a whole number, ${row.min} ${most}${none} (default \`${row.default}\`): ${row.meaning}`]
}

const chapters = Object.entries<AssumptionRow>(assumptionRows).map(([key, row]) =>
  [`## ${key}`, '', `> ${row.question}`, '', ...readingsOf(row)].join('\n'),
)

/** What the document of the service leaves open, and how the mock can read it: made from the rows themselves. */
export const assumptionsDocument = `# Assumptions

What the document of the service leaves open, in its own words where it has any, and the readings the mock server can take of it. Each is a switch: \`createMockLedger({ assumptions: { pageUnit: 'group' } })\`, \`createGuild({ assumptions })\` for one guild, \`--assume pageUnit=group\` on the command line; \`guild.assume(changes)\`, or \`mock.assume(changes)\` for all guilds that have no reading of their own, while it runs. With \`explain: true\` each reply names the ones that shaped it.

This page is made from \`packages/mock-server/src/assumptions\` by \`pnpm docs:assumptions\`.

${chapters.join('\n\n')}
`

/** Where it stands. A link out of the package would be dead for those who install it, so the package has it too. */
export const assumptionsPages: readonly URL[] = ['../../../docs/assumptions.md', '../ASSUMPTIONS.md'].map(
  (path) => new URL(path, import.meta.url),
)
