import { assumptionDefinitions, type AssumptionDefinition } from '@guild-ledger/mock-server'

const valuesOf = (definition: AssumptionDefinition): string[] => {
  if ('values' in definition) {
    return definition.values.map(([value, meaning], i) => `- \`${value}\`${i === 0 ? ' (default)' : ''}: ${meaning}`)
  }
  const { min, max, orNull, meaning, default: defaultValue } = definition
  const range = max === Number.MAX_SAFE_INTEGER ? `≥ ${min}` : `from ${min} to ${max}`
  const noLimit = orNull ? ', or `null` for no limit' : ''
  return [`- an integer ${range}${noLimit} (default \`${defaultValue}\`): ${meaning}`]
}

const sections = Object.entries<AssumptionDefinition>(assumptionDefinitions).map(([key, definition]) =>
  [
    `## ${key}`,
    '',
    `> ${definition.question}`,
    '',
    ...valuesOf(definition),
    '',
    `Code that works under every value: ${definition.remedy}`,
  ].join('\n'),
)

/** The page of assumptions, made from their definitions. */
export const assumptionsDocument = `# Assumptions

The spec leaves some behaviour open. The mock server has an assumption for each such point; this page lists them with the words of the spec and the possible values.

- For all guilds: \`createMockLedger({ assumptions: { pageUnit: 'group' } })\`, or \`--assume pageUnit=group\` on the command line.
- For one guild: \`mock.createGuild({ assumptions: { pageUnit: 'group' } })\`.
- At run time: \`guild.assume({ pageUnit: 'group' })\`, or \`mock.assume(…)\` for all guilds without a value of their own.

With \`explain: true\` every response names the assumptions that it depends on.

This page is generated from \`packages/mock-server/src/assumptions\` by \`pnpm docs:assumptions\`.

${sections.join('\n\n')}
`

/** Where the page is checked in. The package contains a copy, made when it is packed. */
export const assumptionsPage = new URL('../../../docs/assumptions.md', import.meta.url)

/** A guide with the remedies of all assumptions between two markers. */
export const remediesPage = new URL('../../../docs/left-open.md', import.meta.url)

const remedies = Object.entries<AssumptionDefinition>(assumptionDefinitions).map(
  ([key, { remedy }]) => `- \`${key}\`: ${remedy}`,
)

/** The guide with the remedies as they are now. */
export const withRemedies = (guide: string): string =>
  guide.replace(
    /(<!-- remedies: made by pnpm docs:assumptions -->\n).*(<!-- end of remedies -->)/s,
    (_all, start: string, end: string) => `${start}\n${remedies.join('\n')}\n\n${end}`,
  )
