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
  [`### ${key}`, '', `> ${definition.question}`, '', ...valuesOf(definition), '', `Remedy: ${definition.remedy}`].join(
    '\n',
  ),
)

/** The guide with a section for each assumption between two markers. */
export const assumptionsPage = new URL('../../../docs/assumptions.md', import.meta.url)

/** The guide with its sections replaced by the definitions as they are. */
export const withAssumptions = (guide: string): string =>
  guide.replace(
    /(<!-- made by pnpm docs:assumptions -->\n).*(<!-- end -->)/s,
    (_all, start: string, end: string) => `${start}\n${sections.join('\n\n')}\n\n${end}`,
  )
