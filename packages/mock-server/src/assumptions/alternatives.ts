import { assume, assumptionDefinitions, type AssumptionKey, type Assumptions } from './values.ts'
import type { AssumptionDefinition } from './definition.ts'

/** Another value of one assumption. */
export interface Alternative {
  /** Name of the assumption. */
  readonly key: AssumptionKey
  /** The other value. */
  readonly value: string | number | boolean | null
}

const valuesOf = (definition: AssumptionDefinition): Alternative['value'][] => {
  if ('values' in definition) return definition.values.map(([value]) => value)
  return [definition.default, ...definition.tried]
}

/** Every other value of every assumption, one at a time. */
export const alternativesTo = (current: Assumptions): Alternative[] =>
  Object.entries<AssumptionDefinition>(assumptionDefinitions).flatMap(([name, definition]) => {
    const key = name as AssumptionKey
    return valuesOf(definition)
      .filter((value) => value !== current[key])
      .map((value) => ({ key, value }))
  })

/** The values that are not the default. */
export const changedValues = (assumptions: Assumptions): Partial<Assumptions> => {
  const defaults = assume()
  return Object.fromEntries(
    Object.entries(assumptions).filter(([key, value]) => value !== defaults[key as AssumptionKey]),
  )
}

/** The sentences of the spec that some assumptions are about, one on each line. */
export const formatQuestions = (keys: readonly AssumptionKey[]): string[] => {
  const questionOf = (key: AssumptionKey): string => assumptionDefinitions[key].question
  return [...new Set(keys.map(questionOf))].map(
    (question) => `${keys.filter((key) => questionOf(key) === question).join(', ')}: ${question}`,
  )
}

/** `pageUnit=group,maxPage=1`, which `parseAssumptionList` reads; the same values always give the same text. */
export const formatAssumptions = (assumptions: Partial<Assumptions>, separator: ',' | ', ' = ','): string =>
  (Object.keys(assumptionDefinitions) as AssumptionKey[])
    .filter((key) => assumptions[key] !== undefined)
    .map((key) => `${key}=${String(assumptions[key])}`)
    .join(separator)
